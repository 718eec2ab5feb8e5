# entry: f
# args: [0.5, 1.5, 2.5], 0.3
# note: tasks of `concurrent.futures`: by `map` and `submit`, with functions that capture
from concurrent.futures import ThreadPoolExecutor


def f(xs, w):
    def loss(x):
        return (x * w - 1.0) ** 2

    with ThreadPoolExecutor(max_workers=2) as pool:
        losses = list(pool.map(loss, xs))
        tasks = [pool.submit(lambda x, k: x * loss(x) + k * w, x, k) for k, x in enumerate(xs)]
        total = sum(task.result() for task in tasks)
    pool = ThreadPoolExecutor()
    last = pool.submit(loss, total)
    pool.shutdown()
    return sum(losses) * total + last.result()
