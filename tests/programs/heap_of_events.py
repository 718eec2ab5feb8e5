# entry: f
# args: 1.1
# args: 0.6
# order: 1
# note: `heapq`: a simulation of events, shortest paths, and what else its functions do to lists
import heapq as hq
from heapq import heapify, heappop, heappush, nsmallest


class Simulation:
    def __init__(self, x):
        self.x = x
        self.queue = []

    def schedule(self, t, kind):
        heappush(self.queue, (t, kind))

    def run(self, end):
        total = 0.0
        while self.queue:
            t, kind = heappop(self.queue)
            if t > end:
                break
            total += t * (kind + 1)
            if kind == 0:
                self.schedule(t + self.x, 1)
            else:
                self.schedule(t + 0.5 * self.x * self.x, 0)
        return total


class Event:
    def __init__(self, t, weight):
        self.t = t
        self.weight = weight

    def __lt__(self, other):
        return self.t < other.t


def equal_times(x):
    heap = []
    for i in range(5):
        hq.heappush(heap, Event(i * 3 % 2 * 1.0, x * (i + 1)))
    total, k = 0.0, 1.0
    while heap:
        total += hq.heappop(heap).weight * k
        k = k * 1.3 + 0.1
        if len(heap) > 1:
            total += heap[1].weight
    return total


def shortest(x):
    edges = [[(1, 2.0), (2, x)], [(3, 1.0)], [(1, 0.5), (3, 4.0)], []]
    distances = [1e9] * 4
    distances[0] = 0.0
    heap = [(0.0, 0)]
    while heap:
        d, u = hq.heappop(heap)
        if d > distances[u]:
            continue
        for v, w in edges[u]:
            if d + w * w < distances[v]:
                distances[v] = d + w * w
                hq.heappush(heap, (distances[v], v))
    return distances[3]


def f(x):
    s = Simulation(x)
    s.schedule(0.0, 0)
    s.schedule(0.3 * x, 1)
    h = [3.0 * x, 1.0, x, 2.0]
    heapify(h)
    hq.heapreplace(h, 4.0 * x)
    total = s.run(2.0) + h[0] * x + hq.heappushpop(h, 0.1)
    return total + sum(nsmallest(2, h)) + hq.nlargest(1, h)[0] + shortest(x) + equal_times(x)
