# entry: f
# args: 1.3
# args: -0.6
# note: loops see what becomes of the lists and dicts that they go over


def f(x):
    queue = [x]
    total = 0.0
    for v in queue:
        total += v
        if len(queue) < 4:
            queue.append(v * x + 0.5)
    for i, v in enumerate(queue):
        if i + 1 < len(queue):
            queue[i + 1] += v
    for u, v in zip(queue, queue):
        queue[2] = v * 0.5
        total += u * v
    d = {"a": x, "b": 2.0}
    for k, v in d.items():
        d["b"] = v + x
        total += v * v
    for v in map(lambda v: 2.0 * v, queue):
        queue[-1] -= 0.1
        total += v
    return total + sum(queue) * queue[2] + d["b"]
