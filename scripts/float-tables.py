"""Writes src/lang/value/float-tables.generated.ts: python3 scripts/float-tables.py > src/lang/value/float-tables.generated.ts

Tables of 2**(i/128) and of logarithms, each entry rounded from 80 decimal digits. The points at which the logarithms
are taken are fixed choices of the C library under CPython: only with the same points do answers agree to the last bit.
"""
from decimal import Decimal, getcontext

getcontext().prec = 80

# Reciprocals of the points of pow's logarithm, in 512ths.
POW_POINTS = [
    724, 720, 716, 712, 708, 704, 700, 696, 692, 688, 684, 684, 680, 676, 672, 668, 664, 660, 660, 656, 652, 648, 644, 640, 640,
    636, 632, 628, 628, 624, 620, 616, 616, 612, 608, 608, 604, 600, 600, 596, 592, 588, 588, 584, 584, 580, 576, 576, 572, 568,
    568, 564, 564, 560, 556, 556, 552, 552, 548, 544, 544, 540, 540, 536, 536, 532, 532, 528, 528, 524, 520, 520, 516, 516, 512,
    512, 508, 504, 500, 496, 492, 488, 484, 482, 478, 474, 470, 468, 464, 460, 458, 454, 452, 448, 446, 442, 440, 436, 434, 430,
    428, 426, 422, 420, 416, 414, 412, 410, 406, 404, 402, 400, 396, 394, 392, 390, 388, 386, 382, 380, 378, 376, 374, 372, 370,
    368, 366, 364,
]

# Reciprocals of the points of log.
LOG_POINTS = [
    "0x1.734f0c3e0de9fp+0", "0x1.713786a2ce91fp+0", "0x1.6f26008fab5a0p+0", "0x1.6d1a61f138c7dp+0", "0x1.6b1490bc5b4d1p+0",
    "0x1.69147332f0cbap+0", "0x1.6719f18224223p+0", "0x1.6524f99a51ed9p+0", "0x1.63356aa8f24c4p+0", "0x1.614b36b9ddc14p+0",
    "0x1.5f66452c65c4cp+0", "0x1.5d867b5912c4fp+0", "0x1.5babccb5b90dep+0", "0x1.59d61f2d91a78p+0", "0x1.5805612465687p+0",
    "0x1.56397cee76bd3p+0", "0x1.54725e2a77f93p+0", "0x1.52aff42064583p+0", "0x1.50f22dbb2bddfp+0", "0x1.4f38f4734ded7p+0",
    "0x1.4d843cfde2840p+0", "0x1.4bd3ec078a3c8p+0", "0x1.4a27fc3e0258ap+0", "0x1.4880524d48434p+0", "0x1.46dce1b192d0bp+0",
    "0x1.453d9d3391854p+0", "0x1.43a2744b4845ap+0", "0x1.420b54115f8fbp+0", "0x1.40782da3ef4b1p+0", "0x1.3ee8f5d57fe8fp+0",
    "0x1.3d5d9a00b4ce9p+0", "0x1.3bd60c010c12bp+0", "0x1.3a5242b75dab8p+0", "0x1.38d22cd9fd002p+0", "0x1.3755bc5847a1cp+0",
    "0x1.35dce49ad36e2p+0", "0x1.34679984dd440p+0", "0x1.32f5cceffcb24p+0", "0x1.3187775a10d49p+0", "0x1.301c8373e3990p+0",
    "0x1.2eb4ebb95f841p+0", "0x1.2d50a0219a9d1p+0", "0x1.2bef9a8b7fd2ap+0", "0x1.2a91c7a0c1babp+0", "0x1.293726014b530p+0",
    "0x1.27dfa5757a1f5p+0", "0x1.268b39b1d3bbfp+0", "0x1.2539d838ff5bdp+0", "0x1.23eb7aac9083bp+0", "0x1.22a012ba940b6p+0",
    "0x1.2157996cc4132p+0", "0x1.201201dd2fc9bp+0", "0x1.1ecf4494d480bp+0", "0x1.1d8f5528f6569p+0", "0x1.1c52311577e7cp+0",
    "0x1.1b17c74cb26e9p+0", "0x1.19e010c2c1ab6p+0", "0x1.18ab07bb670bdp+0", "0x1.1778a25efbcb6p+0", "0x1.1648d354c31dap+0",
    "0x1.151b990275fddp+0", "0x1.13f0ea432d24cp+0", "0x1.12c8b7210f9dap+0", "0x1.11a3028ecb531p+0", "0x1.107fbda8434afp+0",
    "0x1.0f5ee0f4e6bb3p+0", "0x1.0e4065d2a9fcep+0", "0x1.0d244632ca521p+0", "0x1.0c0a77ce2981ap+0", "0x1.0af2f83c636d1p+0",
    "0x1.09ddb98a01339p+0", "0x1.08cabaf52e7dfp+0", "0x1.07b9f2f4e28fbp+0", "0x1.06ab58c358f19p+0", "0x1.059eea5ecf92cp+0",
    "0x1.04949cdd12c90p+0", "0x1.038c6c6f0ada9p+0", "0x1.02865137932a9p+0", "0x1.0182427ea7348p+0", "0x1.008040614b195p+0",
    "0x1.fe01ff726fa1ap-1", "0x1.fa11cc261ea74p-1", "0x1.f6310b081992ep-1", "0x1.f25f63ceeadcdp-1", "0x1.ee9c8039113e7p-1",
    "0x1.eae8078cbb1abp-1", "0x1.e741aa29d0c9bp-1", "0x1.e3a91830a99b5p-1", "0x1.e01e009609a56p-1", "0x1.dca01e577bb98p-1",
    "0x1.d92f20b7c9103p-1", "0x1.d5cac66fb5ccep-1", "0x1.d272caa5ede9dp-1", "0x1.cf26e3e6b2ccdp-1", "0x1.cbe6da2a77902p-1",
    "0x1.c8b266d37086dp-1", "0x1.c5894bd5d5804p-1", "0x1.c26b533bb9f8cp-1", "0x1.bf583eeece73fp-1", "0x1.bc4fd75db96c1p-1",
    "0x1.b951e0c864a28p-1", "0x1.b65e2c5ef3e2cp-1", "0x1.b374867c9888bp-1", "0x1.b094b211d304ap-1", "0x1.adbe885f2ef7ep-1",
    "0x1.aaf1d31603da2p-1", "0x1.a82e63fd358a7p-1", "0x1.a5740ef09738bp-1", "0x1.a2c2a90ab4b27p-1", "0x1.a01a01393f2d1p-1",
    "0x1.9d79f24db3c1bp-1", "0x1.9ae2505c7b190p-1", "0x1.9852ef297ce2fp-1", "0x1.95cbaeea44b75p-1", "0x1.934c69de74838p-1",
    "0x1.90d4f2f6752e6p-1", "0x1.8e6528effd79dp-1", "0x1.8bfce9fcc007cp-1", "0x1.899c0dabec30ep-1", "0x1.87427aa2317fbp-1",
    "0x1.84f00acb39a08p-1", "0x1.82a49e8653e55p-1", "0x1.8060195f40260p-1", "0x1.7e22563e0a329p-1", "0x1.7beb377dcb5adp-1",
    "0x1.79baa679725c2p-1", "0x1.77907f2170657p-1", "0x1.756cadbd6130cp-1",
]

# Reciprocals of the points of log2.
LOG2_POINTS = [
    "0x1.724286bb1acf8p+0", "0x1.6e1f766d2cca1p+0", "0x1.6a13d0e30d48ap+0", "0x1.661ec32d06c85p+0", "0x1.623fa951198f8p+0",
    "0x1.5e75ba4cf026cp+0", "0x1.5ac055a214fb8p+0", "0x1.571ed0f166e1ep+0", "0x1.53909590bf835p+0", "0x1.5014fed61adddp+0",
    "0x1.4cab88e487bd0p+0", "0x1.49539b4334feep+0", "0x1.460cbdfafd569p+0", "0x1.42d664ee4b953p+0", "0x1.3fb01111dd8a6p+0",
    "0x1.3c995b70c5836p+0", "0x1.3991c4ab6fd4ap+0", "0x1.3698e0ce099b5p+0", "0x1.33ae48213e7b2p+0", "0x1.30d191985bdb1p+0",
    "0x1.2e025cab271d7p+0", "0x1.2b404cf13cd82p+0", "0x1.288b02c7ccb50p+0", "0x1.25e2263944de5p+0", "0x1.234563d8615b1p+0",
    "0x1.20b46e33eaf38p+0", "0x1.1e2eefdcda3ddp+0", "0x1.1bb4a580b3930p+0", "0x1.19453847f2200p+0", "0x1.16e06c0d5d73cp+0",
    "0x1.1485f47b7e4c2p+0", "0x1.12358ad0085d1p+0", "0x1.0fef00f532227p+0", "0x1.0db2077d03a8fp+0", "0x1.0b7e6d65980d9p+0",
    "0x1.0953efe7b408dp+0", "0x1.07325cac53b83p+0", "0x1.05197e40d1b5cp+0", "0x1.03091c1208ea2p+0", "0x1.0101025b37e21p+0",
    "0x1.fc07ef9caa76bp-1", "0x1.f4465d3f6f184p-1", "0x1.ecc079f84107fp-1", "0x1.e573a99975ae8p-1", "0x1.de5d6f0bd3de6p-1",
    "0x1.d77b681ff38b3p-1", "0x1.d0cb5724de943p-1", "0x1.ca4b2dc0e7563p-1", "0x1.c3f8ee8d6cb51p-1", "0x1.bdd2b4f020c4cp-1",
    "0x1.b7d6c006015cap-1", "0x1.b20366e2e338fp-1", "0x1.ac57026295039p-1", "0x1.a6d01bc2731ddp-1", "0x1.a16d3bc3ff18bp-1",
    "0x1.9c2d14967feadp-1", "0x1.970e4f47c9902p-1", "0x1.920fb3982bcf2p-1", "0x1.8d30187f759f1p-1", "0x1.886e5ebb9f66dp-1",
    "0x1.83c97b658b994p-1", "0x1.7f405ffc61022p-1", "0x1.7ad22181415cap-1", "0x1.767dcf99eff8cp-1",
]


def log2_rows():
    points = [float.fromhex(h) for h in LOG2_POINTS]
    return [(inverse, round(float(-Decimal(inverse).ln() / Decimal(2).ln()) * 2**43) / 2**43) for inverse in points]


def log_rows(points, tail):
    rows = []
    for inverse in points:
        exact = -Decimal(inverse).ln()
        high = round(float(exact) * 2**43) / 2**43
        rows.append((inverse, high, float(exact - Decimal(high))) if tail else (inverse, high))
    return rows


def exp_rows():
    rows = []
    for i in range(128):
        exact = (Decimal(2).ln() * i / 128).exp()
        head = float(exact)
        rows.append((float((exact - Decimal(head)) / Decimal(head)), head))
    return rows


def sine_rows():
    rows = []
    for k in range(111):
        x, term, n = Decimal(k) / 128, Decimal(1), 0
        parts = [Decimal(0)] * 4
        while n < 60:
            parts[n % 4] += term
            n += 1
            term = term * x / n
        sine, cosine = parts[1] - parts[3], parts[0] - parts[2]
        rows.append((float(sine), float(sine - Decimal(float(sine))), float(cosine), float(cosine - Decimal(float(cosine)))))
    return rows


def show(name, what, rows):
    print(f"/** {what} */")
    print(f"export const {name} = new Float64Array([")
    for row in rows:
        print("  " + ", ".join(repr(x) for x in row) + ",")
    print("]);")


print("// Written by scripts/float-tables.py. Do not edit.")
show("EXP_TABLE", "For each i of 128: the relative rest, then the head, of 2**(i/128).", exp_rows())
show("POW_LOG_TABLE", "For each point c of 128: 1/c, the head of ln c, its rest.", log_rows([n / 512 for n in POW_POINTS], True))
show("LOG_TABLE", "For each point c of 128: 1/c, ln c.", log_rows([float.fromhex(h) for h in LOG_POINTS], False))
show("SINE_TABLE", "For each i of 111: head and rest of sin(i/128), head and rest of cos(i/128).", sine_rows())
show("LOG2_TABLE", "For each point c of 64: 1/c, log2 c.", log2_rows())
