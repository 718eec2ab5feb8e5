# entry: f
# args: 2.0
# note: what the top level does to lists, dicts and numbers, in the order of the file
L = [1.0]
L.append(5.0)
both = other = [1.0]
other = other + [4.0]
both.append(2.0)
d = {}
for name, v in [("a", 1.0), ("b", 2.0)]:
    d[name] = v
d["b"] += 0.5
d.update(c=3.0)
del d["a"]
total = 0.0
for i in range(6):
    if i == 1:
        continue
    if i == 4:
        break
    total += i * 1.5
n = 1
while n < 10:
    n *= 2
before = len(L)
first, *rest = L
L.insert(0, 7.0)
last = L.pop()


def f(x):
    return sum(L) * x + sum(both) * sum(other) + d["b"] * d["c"] * x + total * n + before + first + sum(rest) * last
