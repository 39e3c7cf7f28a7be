"""Records how Python prints values, for python-text.test.ts. Run it with Python 3.11 and format the file it writes:

python3 record-python-forms.py > python-forms.json
"""

import json
import random
import struct

random.seed(21)

strings = [
    "", "a", "it's", 'say "hi"', "both ' and \"", "back\\slash", "'", '"', "\\'", "tab\tnl\ncr\r", "\x00\x01\x07\x08\x0b\x0c\x1f\x7f",
    "\x80\x85\x9f\xa0\xad", "ü", "Zürich", "日本語", "😀", "e\u0301", "\u200b\u200e\u2028\u2029\u202f\u3000\ufeff", "\ud83d", "\udc00x",
    "\ud83d \ude00", "\ue000\uf8ff", "\U000f0000\U0010ffff", "\u0378", "\uffff\ufffe\ufdd0", "\U0001f468\u200d\U0001f469", "</script>",
    "a\u00a0b c", "\u0600\u06dd", "\U000e0001", "__proto__", "{'a': 1}", "\\u00e9", "\\n", "%s", "${x}", " ", "~!@#$%^&*()[]{}|`",
]
alphabet = "ab'\"\\ \n\t\r\x00\x7f\xe9\u0153\u2028\u4e2d\U0001f600\ud800\udfff/<>&"
for _ in range(160):
    text = "".join(random.choice(alphabet) for _ in range(random.randint(1, 12)))
    # Two halves beside one another are one character in JSON.
    strings.append(text.replace("\ud800\udfff", "\ud800 \udfff"))

# Floats that are no whole numbers: JavaScript does not know 1.0.
floats = [0.5, -0.5, 0.1, 1e-4, 0.0001234, 9.999e-5, 1e-5, 1.5e-5, 1e-6, 1e-7, 1.25e-10, 1e-100, 5e-324, 2.2250738585072014e-308, 123456.789,
          0.30000000000000004, 1 / 3, 2 / 3, 1234567890.125, 4503599627370495.5, -1e-9, 3.141592653589793, 1e15 + 0.5]
while len(floats) < 200:
    value = struct.unpack("<d", struct.pack("<Q", random.getrandbits(64)))[0]
    scaled = value if random.random() < 0.3 else random.uniform(-1, 1) * 10 ** random.randint(-9, 9)
    if scaled == scaled and abs(scaled) != float("inf") and scaled != int(scaled):
        floats.append(scaled)


def scalar():
    return random.choice([
        lambda: random.choice(strings), lambda: random.choice(floats), lambda: random.randint(-(2**53) + 1, 2**53 - 1),
        lambda: random.randint(-9, 9), lambda: random.choice([True, False, None]),
    ])()


def container(depth):
    if depth == 0 or random.random() < 0.4:
        return scalar()
    size = random.randint(0, 4)
    if random.random() < 0.5:
        return [container(depth - 1) for _ in range(size)]
    return {random.choice(strings + ["10", "2", "x"]): container(depth - 1) for _ in range(size)}


values = strings + floats + [0, -1, 2**53 - 1, True, False, None, [], {}, [[]], [{}], {"a": []}, [None, True, False]]
values += [container(4) for _ in range(150)]

fixed = []
for places in (0, 2, 4):
    ties = [n / 2 ** (places + 1) for n in range(-9, 30)]
    near = [n / 10 ** (places + 1) * 5 for n in range(0, 40)]
    large = [1e15, 1e16 + 2, 123456789012345.675, 1e21, 1.5e22, 1e22, 2.0**70, 0.0, 1e-9, -1e-9, 1.005, 2.675, 0.045]
    for value in ties + near + large + random.sample(floats, 40):
        fixed.append([value, places, f"{value:.{places}f}"])

print(json.dumps({
    "values": [[json.dumps(v), json.dumps(v, indent=2), repr(v)] for v in values],
    "fixed": fixed,
}, indent=1))
