# entry: f
# args: 1.3, 7
# args: 0.6, 40
# order: 2
# note: sets and dicts with keys that only the run knows, to order 2: ints in order, and strings
def f(x, n):
    seen = set()
    steps = {}
    for i in range(n):
        k = i * i % 7
        name = "low" if k < 3 else "high"
        steps[name] = steps.get(name, x) * x
        if k not in seen:
            seen.add(k)
    return sum([x ** k for k in sorted(seen)]) + steps["low"] / steps["high"]
