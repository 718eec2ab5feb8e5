# entry: f
# args: 1.1, 4
# args: 0.6, 7
# order: 3
# note: lists of numbers in derivatives of derivatives: a table by dynamic programming, a heap, and a list that a closure reads
def table(x, n):
    best = [1.0, x]
    i = 2
    while i <= n:
        best.append(best[i - 1] * x + best[i - 2] * best[i // 2])
        i += 1
    best[1] = best[n] * 0.5
    return best[1] * best[n - 1]


def smallest(x, n):
    heap = []
    i = 0
    while i < n:
        heap.append(x * ((i * 7) % 5 + 1.0))
        k = len(heap) - 1
        while k > 0 and heap[k] < heap[(k - 1) // 2]:
            heap[k], heap[(k - 1) // 2] = heap[(k - 1) // 2], heap[k]
            k = (k - 1) // 2
        i += 1
    return heap[0] * heap[1] * heap[-1]


def closures(x, n):
    xs = []
    for i in range(n):
        xs.append(x + i)
    weigh = lambda k, v: xs[k] * v * xs[-1 - k]
    total = 0.0
    k = 0
    while k < len(xs):
        total += weigh(k, xs[k])
        k += 1
    return total


def f(x, n):
    return table(x, n) * 0.1 + smallest(x, n) + closures(x, n) * 0.01
