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

# The points of tan's table, near (i + 16)/256.
TAN_POINTS = [
    "0x1.000001e519d60p-4", "0x1.100001b1a7010p-4", "0x1.200002505e350p-4", "0x1.2fffffcdc4252p-4", "0x1.3ffffe3ff849fp-4",
    "0x1.4ffffedc9590fp-4", "0x1.6000000ee83f7p-4", "0x1.6ffffeb05ea41p-4", "0x1.7ffffdc0515f7p-4", "0x1.8ffffe384d7abp-4",
    "0x1.9ffffe4832347p-4", "0x1.b0000274540e3p-4", "0x1.bfffffebf2e9bp-4", "0x1.d000023529045p-4", "0x1.dffffd872a829p-4",
    "0x1.effffff323b84p-4", "0x1.000000ce79195p-3", "0x1.07fffee40e918p-3", "0x1.100000cc091fdp-3", "0x1.180000d9936a1p-3",
    "0x1.1ffffed5f3188p-3", "0x1.2800005f06a51p-3", "0x1.2fffffe3d339ep-3", "0x1.37fffed888d6fp-3", "0x1.4000002ca050dp-3",
    "0x1.47ffff2531f5cp-3", "0x1.5000013774992p-3", "0x1.57fffedddcb2dp-3", "0x1.5fffff41949a0p-3", "0x1.67ffff834d3a1p-3",
    "0x1.6fffffd9106eap-3", "0x1.780000f649a4fp-3", "0x1.7ffffef06bbd8p-3", "0x1.88000021c6334p-3", "0x1.8fffff38d0756p-3",
    "0x1.98000104efca1p-3", "0x1.a000009417b30p-3", "0x1.a7fffeb1c23ecp-3", "0x1.afffffb171c13p-3", "0x1.b80000aba44bep-3",
    "0x1.c0000113d2a3ep-3", "0x1.c7ffff49e00cep-3", "0x1.d000005f611abp-3", "0x1.d800014764cebp-3", "0x1.e000014bcea76p-3",
    "0x1.e7ffffd7995bdp-3", "0x1.f00000cc35436p-3", "0x1.f800001d1da33p-3", "0x1.00000060c13b2p-2", "0x1.0400003885492p-2",
    "0x1.08000052f5a13p-2", "0x1.0c00002ba1af5p-2", "0x1.0fffff76642c1p-2", "0x1.14000033602f0p-2", "0x1.17ffffefd1a13p-2",
    "0x1.1bffff718365dp-2", "0x1.1ffffff001e00p-2", "0x1.23ffffe425a6ap-2", "0x1.28000059ec1dbp-2", "0x1.2c000000dd081p-2",
    "0x1.2fffffc1dcd2bp-2", "0x1.33ffff6c0d4a0p-2", "0x1.3800006b16793p-2", "0x1.3c00007358fa3p-2", "0x1.3fffffc3b18cfp-2",
    "0x1.44000000dd2a8p-2", "0x1.47ffffbb43713p-2", "0x1.4bffffb113bf4p-2", "0x1.4fffff7f087c9p-2", "0x1.54000088b3814p-2",
    "0x1.57ffff7d55966p-2", "0x1.5c00008bf2490p-2", "0x1.6000009fa853fp-2", "0x1.6400007595fcap-2", "0x1.68000031687dap-2",
    "0x1.6bffff5c8cfe2p-2", "0x1.6fffff81df231p-2", "0x1.73ffffa71385ep-2", "0x1.78000024a9c2bp-2", "0x1.7c00002eb62b8p-2",
    "0x1.80000054a52d1p-2", "0x1.83ffff93a00a3p-2", "0x1.87ffffbdc91c1p-2", "0x1.8bffff6d215e6p-2", "0x1.9000002f734efp-2",
    "0x1.9400004eef8b4p-2", "0x1.98000041ec76ap-2", "0x1.9c00008044e47p-2", "0x1.a000001f8235bp-2", "0x1.a3ffffb8c6f08p-2",
    "0x1.a7ffffb3d63e1p-2", "0x1.abffff5f45c48p-2", "0x1.b00000508b34cp-2", "0x1.b40000a84710cp-2", "0x1.b7ffff692e9d8p-2",
    "0x1.bc0000280f14dp-2", "0x1.c0000001121d1p-2", "0x1.c3ffffef662aap-2", "0x1.c800009845818p-2", "0x1.cbffffb0493bfp-2",
    "0x1.cfffffd52961fp-2", "0x1.d3ffffe2319a4p-2", "0x1.d7ffffa4de596p-2", "0x1.dbffffe729a69p-2", "0x1.e000009d66802p-2",
    "0x1.e3ffffb211657p-2", "0x1.e80000a3f068ap-2", "0x1.ec00001adb060p-2", "0x1.effffff5c0d01p-2", "0x1.f3ffff93d5fccp-2",
    "0x1.f7ffffa0dd18fp-2", "0x1.fbffffd3a9f1ap-2", "0x1.ffffffc481400p-2", "0x1.01fffff53786cp-1", "0x1.03ffffee301b7p-1",
    "0x1.06000006e36bfp-1", "0x1.07ffffd60aa43p-1", "0x1.0a000037762e8p-1", "0x1.0bfffff1c6921p-1", "0x1.0dfffff07154bp-1",
    "0x1.1000002fcdda4p-1", "0x1.1200001ce1140p-1", "0x1.1400004d0f355p-1", "0x1.1600000fb0c8ap-1", "0x1.18000026f10b3p-1",
    "0x1.19ffffd0978f8p-1", "0x1.1bffffd94840bp-1", "0x1.1dffffbda1ea1p-1", "0x1.1fffffc989533p-1", "0x1.22000012b8d26p-1",
    "0x1.2400004f4d6afp-1", "0x1.25ffffcc07bdap-1", "0x1.28000042d9639p-1", "0x1.2a00003be29a0p-1", "0x1.2bffffaa91f12p-1",
    "0x1.2dffffe884891p-1", "0x1.2fffffe87152bp-1", "0x1.31fffffc1a721p-1", "0x1.33fffff70a372p-1", "0x1.360000436e836p-1",
    "0x1.37ffffcbe9641p-1", "0x1.39fffffb6d6cap-1", "0x1.3c00004934fecp-1", "0x1.3e00003f5cf7fp-1", "0x1.4000005280ad9p-1",
    "0x1.42000049efb65p-1", "0x1.440000035ccb6p-1", "0x1.4600003346717p-1", "0x1.4800003002575p-1", "0x1.4a000055bf381p-1",
    "0x1.4c00004ce10e3p-1", "0x1.4e000016c60e1p-1", "0x1.4ffffff966f0ap-1", "0x1.520000076e6ebp-1", "0x1.5400003d12d3bp-1",
    "0x1.55ffffce7fa8dp-1", "0x1.580000331b46ap-1", "0x1.59ffffc14848ep-1", "0x1.5bffffb7cd395p-1", "0x1.5e000000dcc40p-1",
    "0x1.6000002efd2fcp-1", "0x1.61ffffeb8088ap-1", "0x1.6400000f3ca06p-1", "0x1.65ffffe9ec2f4p-1", "0x1.6800003d43966p-1",
    "0x1.69ffffab67783p-1", "0x1.6bffffcb65f89p-1", "0x1.6dffffc5609a9p-1", "0x1.6fffffc4eef86p-1", "0x1.72000004d98b3p-1",
    "0x1.73ffffc155075p-1", "0x1.760000498c203p-1", "0x1.77fffff1e5636p-1", "0x1.7a0000226d45ap-1", "0x1.7c0000250a5aap-1",
    "0x1.7e0000482f82ep-1", "0x1.800000205003ep-1", "0x1.81ffffbf99411p-1", "0x1.840000248e3a3p-1", "0x1.860000145c157p-1",
    "0x1.88000022631b9p-1", "0x1.8a000045f7828p-1", "0x1.8bfffffc686cfp-1", "0x1.8dffffd8644c6p-1", "0x1.8fffffe4e7937p-1",
    "0x1.920000435251fp-1",
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


def sine_and_cosine(x):
    term, n = Decimal(1), 0
    parts = [Decimal(0)] * 4
    while n < 60:
        parts[n % 4] += term
        n += 1
        term = term * x / n
    return parts[1] - parts[3], parts[0] - parts[2]


def tan_rows():
    rows = []
    for point in map(float.fromhex, TAN_POINTS):
        sine, cosine = sine_and_cosine(Decimal(point))
        rows.append((point, float(sine / cosine), float(cosine / sine)))
    return rows


def sine_rows():
    rows = []
    for k in range(111):
        sine, cosine = sine_and_cosine(Decimal(k) / 128)
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
show("TAN_TABLE", "For each point of 186: the point, its tangent, its cotangent.", tan_rows())
