# Heaps as lists, as in CPython: no element is greater than those at twice its place and one or two beyond.

def heappush(heap, item):
    heap.append(item)
    _rise(heap, 0, len(heap) - 1)


def heappop(heap):
    last = heap.pop()
    if len(heap) == 0:
        return last
    least = heap[0]
    heap[0] = last
    _sink(heap, 0)
    return least


def heapify(x):
    for at in reversed(range(len(x) // 2)):
        _sink(x, at)


def heappushpop(heap, item):
    if len(heap) > 0 and heap[0] < item:
        least = heap[0]
        heap[0] = item
        _sink(heap, 0)
        return least
    return item


def heapreplace(heap, item):
    least = heap[0]
    heap[0] = item
    _sink(heap, 0)
    return least


def _rise(heap, first, at):
    while at > first:
        above = (at - 1) // 2
        if not heap[at] < heap[above]:
            break
        heap[at], heap[above] = heap[above], heap[at]
        at = above


# To a leaf, and up again to its place, as CPython does: so equal elements stand in the same order.
def _sink(heap, first):
    at = first
    while 2 * at + 1 < len(heap):
        below = 2 * at + 1
        if below + 1 < len(heap) and not heap[below] < heap[below + 1]:
            below = below + 1
        heap[at], heap[below] = heap[below], heap[at]
        at = below
    _rise(heap, first, at)


def nlargest(n, iterable, key=None):
    return sorted(iterable, key=key, reverse=True)[:n]


def nsmallest(n, iterable, key=None):
    return sorted(iterable, key=key)[:n]
