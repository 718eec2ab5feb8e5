# entry: f
# args: 1.5
# note: functions of strings that they are given
PRICES = {"a": 2.0, "b": 3.0}


def count(text, letter):
    n = 0
    for c in text:
        if c == letter:
            n += 1
    return n


def cost(code, x):
    total = 0.0
    for i, c in enumerate(code):
        total += PRICES[c] * x ** (len(code) - i)
    return total


def edit(a, b, x):
    """The distance between two words, where another letter costs x."""
    row = [float(j) for j in range(len(b) + 1)]
    for i, p in enumerate(a):
        before, row = row, [i + 1.0]
        for j in range(len(b)):
            row.append(min(before[j] + (0.0 if p == b[j] else x), before[j + 1] + 1.0, row[j] + 1.0))
    return row[-1]


def f(x):
    letters = tuple("abc")
    return x * count("banana", "a") + cost("abba", x) + edit("kitten", "sitting", x) + len(letters) * len(list("xyz"))
