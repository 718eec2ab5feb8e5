# A long short-term memory whose matrices are diagonal, in layers, that says the next row of a sequence: its mean loss, and the
# gradient with respect to its parameters. A layer has two rows of the parameters, the weights and the biases of its forget, input
# and output gates and of the change, one after the other, and two rows of the state: what it says, hidden, and its cells. Of each
# step only what goes in is kept for the gradient.

import numpy as np
from gradus import checkpoint, grad


def sigmoid(x):
    return 1.0 / (1.0 + np.exp(-x))


def step(weight, bias, hidden, cell, x):
    forget = sigmoid(x * weight[0] + bias[0])
    into = sigmoid(hidden * weight[1] + bias[1])
    out = sigmoid(x * weight[2] + bias[2])
    change = np.tanh(hidden * weight[3] + bias[3])
    cell = cell * forget + into * change
    return out * np.tanh(cell), cell


def loss(layers, extra, state, sequence, t):
    x = sequence[t] * extra[0]
    after = []
    for (weight, bias), (hidden, cell) in zip(layers, state):
        x, cell = step(weight, bias, hidden, cell, x)
        after = after + [x, cell]
    y = x * extra[1] + extra[2]
    return np.sum(sequence[t + 1] * (y - np.log(np.sum(np.exp(y)) + 2.0))), np.stack(after).reshape(state.shape)


def objective(main_params, extra_params, state, sequence):
    count, b = sequence.shape
    layers, extra = [(tuple(weight), tuple(bias)) for weight, bias in main_params.reshape(-1, 2, 4, b)], tuple(extra_params)
    state = state.reshape(-1, 2, b)
    total = 0.0
    for t in range(count - 1):
        one, state = checkpoint(loss)(layers, extra, state, sequence, t)
        total += one
    return -total / ((count - 1) * b)


def jacobian(main_params, extra_params, state, sequence):
    dmain, dextra = grad(objective, (0, 1))(main_params, extra_params, state, sequence)
    return np.concatenate([dmain.ravel(), dextra.ravel()])
