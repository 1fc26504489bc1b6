"""What can be checked about a move: liberties, atari, ladders, tiger's mouths, eyes; facts."""
