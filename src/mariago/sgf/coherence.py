"""How well a text reads in the language that its encoding was made for.

A few bytes of a name are valid in most East Asian encodings, so validity says little. What tells
them apart is whether the characters that come out are ones that people use: family names, given
names, the words of game records, and the most frequent characters of each language. The lists are
such characters, written down for this project; a detector made for pages of text was measured and
loses on names (``docs/reference/encodings.md``).
"""

import unicodedata

__all__ = ["CANDIDATES", "coherence"]

# Family names, given names, words of game records, then frequent characters.
_SIMPLIFIED = frozenset(
    "王李张刘陈杨黄赵周吴徐孙朱马胡郭林何高梁郑罗宋谢唐韩曹许邓萧冯曾程蔡彭潘袁于董余苏叶吕魏蒋田"
    "杜丁沈姜范江傅钟卢汪戴崔任陆廖姚方金邱夏谭韦贾邹石熊孟秦阎薛侯雷白龙段郝孔邵史毛常万顾赖武康贺"
    "严尹钱施牛洪龚柯古时芈连党童陶俞邢华聂柁辜谷檀屠申朴安元成文明伟芳娜秀英敏静丽强磊军洋勇艳杰娟"
    "涛超兰霞平刚桂辉玲建国志斌宇浩凯俊天晓云海峰嘉鹏飞廷昱廷洁毅睿豪哲卿梦瑞轩泽晨昊然博思雨春秋冬"
    "东西南北山川河水木火土日月星光正大小子新永良德忠义信仁智礼福禄寿喜乐祥荣发财富贵宝珍珠玉琴棋书画"
    "围棋手段级初一二三四五六七八九十百千黑白胜负目半中盘认输超时贴还让先局谱赛杯届第决轮预选本名人圣"
    "战对弈职业余中国日韩本台北京上海网络友谊快慢读秒规则比结果未完和无效年月日点分地评解说讲说弟高级"
    "的是不了在人有我他这个们来为到以要就出会可也你生能而那得着下自之过后作里用道行所家种事多经么去法学"
    "如都同现当没动面起看定还进好部其些主样理心她前开但因只从想实意全外几风雪梅竹菊剑客侠神仙魔鬼狼虎"
    "鱼鸟花草树石头老师爱情梦想世界最美丽孤独寂寞江湖浪子清真假红绿蓝灰紫青长短远近快乐无敌野狐职"
    "震辰裕恩硕越滨钰璨一力赟恒炜彤笑尘逸轲广文乃伟睿羲旷若谌晶佳奕楷恺航宏维达琪颖欣怡雯婷莹佩甫"
)
_TRADITIONAL = frozenset(
    "王李張劉陳楊黃趙周吳徐孫朱馬胡郭林何高梁鄭羅宋謝唐韓曹許鄧蕭馮曾程蔡彭潘袁于董余蘇葉呂魏蔣田"
    "杜丁沈姜范江傅鍾鐘盧汪戴崔任陸廖姚方金邱夏譚韋賈鄒石熊孟秦閻薛侯雷白龍段郝孔邵史毛常萬顧賴武康賀"
    "嚴尹錢施牛洪龔簡詹莊游翁溫涂連柯紀童古卓巫阮歐俞立誠栩俊勳偉芳秀英敏靜麗強磊軍勇豔傑娟濤超蘭霞平"
    "剛桂輝玲建國志斌宇浩凱天曉雲海峰嘉鵬飛廷昱毅睿豪哲卿夢瑞軒澤晨昊然博思雨春秋東西南北山川河水木火土"
    "日月星光正大小子新永良德忠義信仁智禮福祿壽喜樂祥榮發財富貴寶珍珠玉琴棋書畫圍棋手段級初一二三四五六七"
    "八九十百千黑白勝負目半中盤認輸超時貼還讓先局譜賽盃屆第決輪預選本名人聖戰對弈職業餘中國日韓台臺灣北"
    "京上海網路友誼快慢讀秒規則比結果未完和無效年月點分地評解說講弟高級的是不了在有我他這個們來為到以要就"
    "出會可也你生能而那得著下自之過後作裡用道行所家種事多經麼去法學如都同現當沒動面起看定還進好部其些主樣"
    "理心她前開但因只從想實意全外幾賢裕興承峻邦耀世鈞尹鎧聖彥元良克凡丞皓源津信恆昇慶榮坤輝麟義傳"
)
_KANJI = frozenset(
    "田山井本川木村藤中小大野高林石佐加斎斉渡辺邊山口松清水池橋阿部森原前後藤近遠坂上下長谷岡島嶋福西東"
    "南北内外三二一四五六七八九十千百万和田竹金今酒関河平岩黒白青赤新古土久保吉安酒井結城依田羽根張許王趙"
    "柳林武宮沢澤崎石榑苑高尾結柴野蘇余河溝上芝野虎丸一力遼井山裕太山下敬吾治勲直樹栩光大秀行芳正紀基紀夫"
    "輝彦義男雄夫郎太一二三次郎樹也哉弥真英智哲和昭正博文康弘宏浩明秀俊勝利武勇健剛隆孝幸信忠誠子美恵香奈"
    "菜里沙紀由佳優希葵梨絵理加代千春夏秋冬雪花菫邑藤沢吉原女流名人棋聖本因坊天元碁聖王座十段新人戦杯第期回"
    "局挑戦手合決勝予選級段初番目半中押勝負持碁定先互置黒白日本棋院関西中国韓国台湾世界年月日時分対譜解説会"
    "の国者事自社発思出生同政民見間物手家学場気道力水電話車京都府県市区町星丈策井上安策道知仙角因碩栄寿仙"
    "朔元丈和算砂悦察山哲榊半田鈴加納嘉徳玉井森陸鶴治大竹昇島三雄春山影木工藤梶呉清源橋宇太郎細川片羽佑聡"
    "謙生駿哲也広将之紗弓恭介涼大竜龍丸悠生平賢孫許家元伊篤史熊丈充関航太郎余正麒佐々木毅雄洋俊輔泰"
)
_HANGUL = frozenset(
    "김이박최정강조윤장임한오서신권황안송류전홍고문양손배백허유남심노하곽성차주우구민진지엄채원천방공현함변염"
    "여추도소석선설마길연위표명기반라왕금옥육인맹제모탁국영수준훈승재동철용규혁경환희은미숙자순아태상욱종형창"
    "병근대광일범식돌택덕필복만중춘봉열익삼단급흑불계집회본예프로바둑리배화농엘지타젬사버명위초시간승패무무"
    "결국대스다는의가에을하로를해나어그부보으들있게되것습니요세목팔칠오륙구십년월일제한중관전보해설기왕전"
    "패기사관결승리그오픈예선통합아마람말과와면서생운호진솔별달빛하늘바다산강꽃나비새봄여름가을겨울사랑행"
    "복청풍명월검객무적천하제일고수하수돌바둑이호랑용곰달식림빈찬률란린훤결웅건균엽협섭필렬홍담슬솜혜"
)
# Japanese in its syllables; in the Chinese and Korean sets they are rare.
_KANA_FIRST, _KANA_LAST = "ぁ", "ヿ"
_HALF_KANA_FIRST, _HALF_KANA_LAST = "｡", "ﾟ"

CANDIDATES = ("gb18030", "cp949", "cp932", "cp950", "euc_jp")
_FREQUENT = {
    "gb18030": _SIMPLIFIED,
    "cp950": _TRADITIONAL,
    "cp932": _KANJI,
    "euc_jp": _KANJI,
    "cp949": _HANGUL,
}
# First bytes of the everyday characters: level 1 of each set, and hangul.
_LEVEL_1 = {
    "gb18030": (0xB0, 0xD7),
    "cp950": (0xA4, 0xC6),
    "cp932": (0x88, 0x97),
    "euc_jp": (0xB0, 0xCF),
    "cp949": (0xB0, 0xC8),
}
_USED, _EVERYDAY, _RARE, _STRANGE = 2.0, -0.5, -2.0, -4.0


def coherence(text: str, codec: str) -> float:
    """Return how well a text decoded from ``codec`` reads: -4 for nonsense, 2 at best.

    The mean over the letters beyond ASCII; 0 where there are none.
    """
    scores: list[float] = []
    for character in text:
        if character < "\x80":
            continue
        score = _score(character, codec)
        if score is not None:
            scores.append(score)
    return sum(scores) / len(scores) if scores else 0.0


def _score(character: str, codec: str) -> float | None:
    """Return the score of one character, None for those that say nothing (punctuation)."""
    if character in _FREQUENT[codec]:
        return _USED
    category = unicodedata.category(character)
    if category in ("Cn", "Co", "Cc"):
        return _STRANGE
    if _HALF_KANA_FIRST <= character <= _HALF_KANA_LAST:
        return _RARE
    if category[0] in "PZN" or "！" <= character <= "～":
        return None
    if category[0] == "S":
        return _RARE if codec != "gb18030" else -1.0
    if _KANA_FIRST <= character <= _KANA_LAST:
        return _USED if codec in ("cp932", "euc_jp") else _RARE
    return _score_by_place(character, codec)


def _score_by_place(character: str, codec: str) -> float:
    try:
        encoded = character.encode(codec)
    except UnicodeEncodeError:
        return _STRANGE
    low, high = _LEVEL_1[codec]
    if len(encoded) != 2:
        return _STRANGE
    if low <= encoded[0] <= high and (encoded[1] > 0xA0 or codec in ("cp932", "cp950")):
        return _EVERYDAY
    if codec == "cp949" and encoded[0] >= 0xCA and encoded[1] > 0xA0:
        return _EVERYDAY if character in _TRADITIONAL else _RARE
    if codec == "gb18030" and encoded[1] <= 0xA0:
        return _EVERYDAY if character in _TRADITIONAL else _STRANGE
    return _STRANGE if codec == "cp949" else _RARE
