# entry: f
# args: 0.7, 3
# args: -1.3, 2
# order: 2
# wrt: 0
# note: strings that are made when the program is compiled: f-strings, +, *, %, str, format, join, slices; keys of dicts


def layer(d, x, i):
    return d[f"w{i}"] * x + d["b" + str(i)]


def scale(name, x):
    if name == "square" or name.startswith("cube"):
        return x * x if name == "square" else x**3
    return x


def f(x: float, n: int) -> float:
    assert x < 100.0, "%.3f is too large, %d %s" % (x, n, "turns")
    d = {"w%d" % i: x + i for i in range(3)}
    for i in range(3):
        d["b{}".format(i)] = x * x / (i + 1)
    y = x
    for i in range(3):
        y = layer(d, y, i)
    names = ["square", "cube", "line"]
    for name in names:
        y += scale(name, x)
    joined = "-".join(names)
    y += len(joined) * x + len("ab" * 3) + len(f"{n}" if n is None else "n")
    words = "one two  three".split()
    parts = "a,b,,c".split(",")
    y += len(words) * len(parts) * x**3
    m = {words[k]: x * k for k in range(3)}
    y += m["two"] * m["three"] if "two" in m and "four" not in m else 0.0
    text = "gradient"
    y += x if text[0] == "g" and text[-3:] == "ent" and text[1:3] + text[3] == "rad" and text.endswith("ent") else 0.0
    y += x if f"{1:03d}|{True!s}|{'a'!r}|{2 + 3}" == "001|True|'a'|5" and "rad" in text and "abc" < "abd" else 0.0
    return y
