# entry: f
# args: 1.3, 6
# order: 2
# note: a memo table and a set with keys that only the run knows, to order 2
def f(x, n):
    known = {}
    odd = set()

    def go(k):
        if k in known:
            return known[k]
        if k % 2:
            odd.add(k)
        known[k] = x if k < 2 else go(k - 1) * x * 0.5 + go(k - 2)
        return known[k]

    return go(n) * len(odd) + len(known)
