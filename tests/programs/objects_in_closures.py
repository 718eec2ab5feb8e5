# entry: f
# args: 1.3
# args: -0.6
# note: functions inside that write to lists around them, and to what they are given


def apply(function, values):
    for i in range(len(values)):
        values[i] = function(values[i])


def f(x):
    history = []
    state = [x, 0.5]

    def record():
        history.append(state[:])
        return len(history)

    def both(values):
        record()
        values[0], values[1] = values[1] * 0.9, values[0] + 0.1
        return values

    kept = both(state)
    both(kept)
    apply(lambda v: v * x, state)
    seen = history
    seen[0][0] = 1.0
    return sum(a * b for a, b in history) + state[0] * kept[1] + record()
