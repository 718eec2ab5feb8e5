# entry: shortest
# args: 0.7, 1.9
# note: shortest ways, by a queue that is kept sorted; elements are written at indices that only the run knows
def shortest(x, y):
    ends = [[1, 2], [2, 3], [3], []]
    lengths = [[x, y], [x * x, 2.0], [x * y], []]
    queue = [(0.0, 0)]
    best = [100.0] * 4
    while len(queue) > 0:
        d, i = queue[0]
        queue = queue[1:]
        if d < best[i]:
            best[i] = d
            for j in range(4):
                if i == j:
                    for k, w in zip(ends[j], lengths[j]):
                        queue.append((d + w, k))
            queue.sort()
    return best[3] + best[2]
