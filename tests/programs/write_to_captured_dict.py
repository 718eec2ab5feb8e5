# entry: f
# args: 0.7
def f(x):
    cache = {"n": 0.0}
    kept = [cache]
    def g(y):
        cache["n"] += 1.0
        return 2.0 * y
    return (g(x) + g(2 * x)) * kept[0]["n"]
