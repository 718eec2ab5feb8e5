# entry: f
# args: 1.1, 7
# args: 0.4, 3
# order: 1
# note: `collections.deque`: windows, searches by breadth, turns, and elements that are written to
import collections
from collections import deque, namedtuple

Edge = namedtuple("Edge", ["to", "weight"])


def windows(x, n):
    q = deque(maxlen=3)
    total = 0.0
    for i in range(n):
        q.append(x * i)
        total += sum(q) / len(q)
        if len(q) == 3 and q[0] > 2.0:
            total += q[-1] * q[0]
    return total


def breadth_first(x):
    graph = [[Edge(1, x), Edge(2, 2.0 * x)], [Edge(3, x * x)], [Edge(3, 1.0)], []]
    seen = [False] * 4
    q = deque([(0, 1.0)])
    seen[0] = True
    total = 0.0
    while q:
        u, d = q.popleft()
        total += d * (u + 1)
        for edge in graph[u]:
            if not seen[edge.to]:
                seen[edge.to] = True
                q.append((edge.to, d * edge.weight + 0.5))
    return total


def turned(x):
    q = collections.deque([x, 2.0, 3.0 * x])
    q.rotate(1)
    q.appendleft(0.5)
    q.extend([x * x, 4.0])
    q.extendleft([x, 7.0])
    q[1] *= 2.0
    first, last = q.popleft(), q.pop()
    q.reverse()
    q.remove(0.5)
    total = first * last
    for k, v in enumerate(q):
        total += (k + 1) * v
    return total + q.count(2.0) + q.index(2.0) + (2.0 in q) + [v for v in reversed(q)][0]


def f(x, n):
    return windows(x, n) + breadth_first(x) + turned(x)
