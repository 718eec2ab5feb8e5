# entry: f
# args: 1.5
# args: 2.5
# note: numbers are read from strings, and strings are taken apart
def number(text):
    text = text.strip()
    if text.isdigit():
        return int(text)
    return float(text) if not text.isalpha() else len(text)


def f(x):
    text = " Ab,c "
    count = text.lower().count("b") + text.upper().find("C") + text.find("z") + len(text.strip(" A"))
    count += len(text.replace(",", " and ")) + len(text.lstrip()) * len(text.rstrip()) + "banana".count("an")
    print(f"{x=} {count = } {x=:.2f} {text.replace('b', '')!r} {text=}")
    total = float("1e-3") + int(" 7 ") + sum(float(t) for t in "1 2 3".split()) + sum(number(t) for t in "12; 2.5;abc".split(";"))
    return x * count + total * x * x + (x if "x1".isalpha() else -x)
