"""A KataGo network file of any version, written from random numbers, and computed plainly.

The computing follows KataGo's ``eigenbackend.cpp`` step by step in numpy, one board at a time,
without any of the package's graph code.
"""

from __future__ import annotations

import numpy as np

from mariago.nets.katago_layers import Block, KatagoFile


class FileWriter:
    """Writes layers of random numbers; what is read back is in the file."""

    def __init__(self, version: int, activation: str, seed: int) -> None:
        self.version = version
        self.activation = activation
        self.rng = np.random.default_rng(seed)
        self.parts: list[bytes] = []

    def words(self, *words: object) -> None:
        self.parts += [f"{word}\n".encode() for word in words]

    def array(self, *shape: int, positive: bool = False) -> None:
        values = self.rng.normal(0, 0.4, shape)
        values = np.abs(values) + 0.2 if positive else values
        self.parts += [b"@BIN@", values.astype("<f4").tobytes(), b"\n"]

    def conv(self, side: int, inputs: int, outputs: int) -> None:
        self.words("conv", side, side, inputs, outputs, 1, 1)
        self.array(side, side, inputs, outputs)

    def matrix(self, inputs: int, outputs: int) -> None:
        self.words("matrix", inputs, outputs)
        self.array(inputs, outputs)

    def bias(self, outputs: int) -> None:
        self.words("bias", outputs)
        self.array(outputs)

    def active(self) -> None:
        self.words("act", *([f"ACTIVATION_{self.activation}"] if self.version >= 11 else []))

    def norm(self, channels: int) -> None:
        scaled = int(self.rng.integers(2))
        self.words("norm", channels, 0.01, scaled, 1)
        self.array(channels)
        self.array(channels, positive=True)
        for _ in range(scaled + 1):
            self.array(channels)
        self.active()

    def rms(self, channels: int) -> None:
        self.words("rms", channels, 1e-4)
        self.array(channels)

    def block(self, kind: str, channels: int) -> None:
        names = {
            "nested": "nested_bottleneck",
            "attention": "transformer_attention",
            "feed_forward": "transformer_ffn",
        }
        self.words(f"{names.get(kind, kind)}_block", "block")
        if kind == "nested":
            self.words(4)
            self.norm(channels)
            self.conv(1, channels, 4)
            for part in ("ordinary", "gpool", "attention", "feed_forward"):
                self.block(part, 4)
            self.norm(4)
            self.conv(1, 4, channels)
        elif kind == "attention":
            self.words(4, 2, 6, 3, 1, 1)
            self.rms(channels)
            for inputs, outputs in ((channels, 24), (channels, 12), (channels, 6), (12, channels)):
                self.matrix(inputs, outputs)
            self.words("turns", 2, 3, 2)
            self.array(2, 3, 2)
        elif kind == "feed_forward":
            self.words(channels, 7, 1)
            self.rms(channels)
            for inputs, outputs in ((channels, 7), (channels, 7), (7, channels)):
                self.matrix(inputs, outputs)
        elif kind == "ordinary":
            self.norm(channels)
            self.conv(3, channels, 5)
            self.norm(5)
            self.conv(3, 5, channels)
        else:
            self.norm(channels)
            self.conv(3, channels, 4)
            self.conv(3, channels, 3)
            self.norm(3)
            self.matrix(9, 4)
            self.norm(4)
            self.conv(3, 4, channels)


def random_file(
    version: int,
    kinds: list[str],
    activation: str,
    tip: int,
    seed: int,
    g: int = 2,
    people: bool = False,
) -> bytes:
    """Return a file; ``tip`` 0 ends the trunk in a norm, 1 in an RMS norm, 2 over the board.

    ``g`` is the number of pooled channels of the policy; 3, as many as others, fits a net folder.
    """
    w = FileWriter(version, activation, seed)
    w.words("random", version, 22, 19)
    if version >= 13:
        w.words(20.0, 20.0, 20.0, 30.0, 40.0, 0.25, 150.0)
    if version >= 15:
        w.words(int(people), *[0] * 7)
    w.words("trunk", len(kinds), 6, 5, 4, 1, 3)
    if version >= 15:
        w.words(1 if tip else 0, 0, 0, 0, 0, 0)
    w.conv(3, 22, 6)
    w.matrix(19, 6)
    if people:
        w.words("people", 192)
        for inputs, outputs in ((192, 7), (7, 5)):
            w.matrix(inputs, outputs)
            w.bias(outputs)
            w.active()
        w.matrix(5, 6)
    for kind in kinds:
        w.block(kind, 6)
    if tip:
        w.words("tip", 6, 1e-5, tip - 1, 0)
        w.array(6)
        w.array(6)
        w.active()
    else:
        w.norm(6)
    outputs = 1 if version < 12 else 2 if version < 16 else 4
    w.words("policy", *([outputs, 0, 0, 0] if version >= 17 else []))
    w.conv(1, 6, 3)
    w.conv(1, 6, g)
    w.norm(g)
    w.matrix(3 * g, 3)
    w.norm(3)
    w.conv(1, 3, outputs)
    w.matrix(3 * g, 3 if version >= 15 else outputs)
    if version >= 15:
        w.bias(3)
        w.active()
        w.matrix(3, outputs)
    w.words("value", *([0, 0, 0] if version >= 17 else []))
    w.conv(1, 6, 3)
    w.norm(3)
    w.matrix(9, 5)
    w.bias(5)
    w.active()
    for size in (3, 4 if version < 9 else 6):
        w.matrix(5, size)
        w.bias(size)
    w.conv(1, 3, 1)
    return b"".join(w.parts)


class PlainNet:
    """Computes one board (22, H, W) that fills its planes."""

    def __init__(self, found: KatagoFile) -> None:
        self.file = found
        self.w = {name: array.astype(np.float64) for name, array in found.arrays.items()}

    def run(
        self, planes: np.ndarray, global_inputs: np.ndarray, people: np.ndarray | None = None
    ) -> tuple[np.ndarray, ...]:
        """Return policy logits (H * W + 1,), value (3,), scores, ownership (H, W).

        ``people`` (192,) is what is known of the players, for a net that takes it.
        """
        self.wide = np.sqrt(planes[0].size) - 14
        x = self.conv("conv1", planes.astype(np.float64))
        x = x + (self.w["ginput.weight"] @ global_inputs)[:, None, None]
        if people is not None:
            for name in ("people.m1", "people.m2"):
                people = self.w[f"{name}.weight"] @ people + self.w[f"{name}.bias"]
                people = self.active(name, people)
            x = x + (self.w["people.m3.weight"] @ people)[:, None, None]
        for block in self.file.blocks:
            x = x + self.block(block, x)
        x = self.tip(x)
        p = self.conv("policy.p1", x)
        pooled = self.pool(self.norm("policy.g1_norm", self.conv("policy.g1", x)))
        p = p + (self.w["policy.g2.weight"] @ pooled)[:, None, None]
        plane = self.conv("policy.p2", self.norm("policy.p1_norm", p))[0]
        if "policy.pass1.weight" in self.w:
            hidden = self.w["policy.pass1.weight"] @ pooled + self.w["policy.pass1.bias"]
            pooled = self.active("policy.pass1", hidden)
        passed = (self.w["policy.pass.weight"] @ pooled)[0]
        v = self.norm("value.v1_norm", self.conv("value.v1", x))
        mean = v.mean(axis=(1, 2))
        squared = self.wide**2 / 100 - 0.1
        pooled = np.concatenate([mean, mean * self.wide / 10, mean * squared])
        hidden = self.w["value.v2.weight"] @ pooled + self.w["value.v2.bias"]
        hidden = self.active("value.v2", hidden)
        value, score = (
            self.w[f"{name}.weight"] @ hidden + self.w[f"{name}.bias"]
            for name in ("value.v3", "value.sv3")
        )
        owned = np.tanh(self.conv("value.ownership", v)[0])
        return np.append(plane.ravel(), passed), value, score, owned

    def block(self, block: Block, x: np.ndarray) -> np.ndarray:
        name = block.name
        if block.kind == "attention":
            return self.attention(block, x)
        if block.kind == "feed_forward":
            y = self.rms(f"{name}.norm", x)
            a, b = (self.each(f"{name}.{part}", y) for part in ("w1", "gate"))
            return self.each(f"{name}.w2", a / (1 + np.exp(-a)) * b)
        y = self.norm(f"{name}.norm1", x)
        if block.kind == "gpool":
            pooled = self.pool(self.norm(f"{name}.norm1b", self.conv(f"{name}.w1b", y)))
            y = self.conv(f"{name}.w1a", y)
            y = y + (self.w[f"{name}.w1r.weight"] @ pooled)[:, None, None]
        else:
            y = self.conv(f"{name}.w1", y)
        for part in block.parts:
            y = y + self.block(part, y)
        return self.conv(f"{name}.w2", self.norm(f"{name}.norm2", y))

    def attention(self, block: Block, x: np.ndarray) -> np.ndarray:
        name, n = block.name, block.numbers
        _, rows, columns = x.shape
        y = self.rms(f"{name}.norm", x)
        q, k, v = (self.each(f"{name}.{part}", y) for part in "qkv")
        parts: list[np.ndarray] = []
        for head in range(n["heads"]):
            key = head // (n["heads"] // n["key_heads"])
            a, b = n["query_width"], n["value_width"]
            query = self.turned(name, key, q[head * a : (head + 1) * a]).reshape(a, -1)
            keys = self.turned(name, key, k[key * a : (key + 1) * a]).reshape(a, -1)
            logits = query.T @ keys / np.sqrt(a)
            shares = np.exp(logits - logits.max(axis=1, keepdims=True))
            shares /= shares.sum(axis=1, keepdims=True)
            parts.append(v[key * b : (key + 1) * b].reshape(b, -1) @ shares.T)
        joined = np.concatenate(parts).reshape(-1, rows, columns)
        return self.each(f"{name}.out", joined)

    def turned(self, name: str, head: int, x: np.ndarray) -> np.ndarray:
        out = np.empty_like(x)
        for pair, (along, down) in enumerate(self.w[f"{name}.turns"][head]):
            for row in range(x.shape[1]):
                for column in range(x.shape[2]):
                    angle = column * along + row * down
                    a, b = x[2 * pair : 2 * pair + 2, row, column]
                    out[2 * pair, row, column] = a * np.cos(angle) - b * np.sin(angle)
                    out[2 * pair + 1, row, column] = a * np.sin(angle) + b * np.cos(angle)
        return out

    def tip(self, x: np.ndarray) -> np.ndarray:
        if self.file.tip == "norm":
            return self.norm("trunk_norm", x)
        square = (x**2).mean() if self.file.tip == "rms_board" else (x**2).mean(axis=0)
        y = x / np.sqrt(square + self.file.epsilons["trunk_norm"])
        scale, bias = (self.w[f"trunk_norm.{field}"][:, None, None] for field in ("scale", "bias"))
        return self.active("trunk_norm", y * scale + bias)

    def rms(self, name: str, x: np.ndarray) -> np.ndarray:
        y = x / np.sqrt((x**2).mean(axis=0) + self.file.epsilons[name])
        return y * self.w[f"{name}.scale"][:, None, None]

    def norm(self, name: str, x: np.ndarray) -> np.ndarray:
        mean, variance, scale, bias = (
            self.w[f"{name}.{field}"][:, None, None]
            for field in ("mean", "variance", "scale", "bias")
        )
        y = (x - mean) / np.sqrt(variance + self.file.epsilons[name]) * scale + bias
        return self.active(name, y)

    def active(self, name: str, x: np.ndarray) -> np.ndarray:
        kind = self.file.activations[name]
        if kind == "relu":
            return np.maximum(x, 0)
        if kind == "silu":
            return x / (1 + np.exp(-x))
        return x if kind == "identity" else x * np.tanh(np.log1p(np.exp(x)))

    def pool(self, x: np.ndarray) -> np.ndarray:
        mean = x.mean(axis=(1, 2))
        return np.concatenate([mean, mean * self.wide / 10, x.max(axis=(1, 2))])

    def each(self, name: str, x: np.ndarray) -> np.ndarray:
        return np.tensordot(self.w[f"{name}.weight"], x, 1)

    def conv(self, name: str, x: np.ndarray) -> np.ndarray:
        weight = self.w[f"{name}.weight"]
        side = weight.shape[2]
        wide = np.pad(x, ((0, 0), (side // 2,) * 2, (side // 2,) * 2))
        _, rows, columns = x.shape
        out = np.zeros((len(weight), rows, columns))
        for dy in range(side):
            for dx in range(side):
                part = wide[:, dy : dy + rows, dx : dx + columns]
                out += np.tensordot(weight[:, :, dy, dx], part, 1)
        return out
