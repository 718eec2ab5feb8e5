# A long short-term memory whose matrices are diagonal, in layers, that says the next row of a sequence: its mean loss, and the
# gradient with respect to its parameters. Layer i has its weights in row 2 i of the parameters and its biases in row 2 i + 1, for the
# forget, input and output gates and the change; its cells and what it says, hidden and cell, are in the same rows of the state.

import numpy as np
from gradus import grad
from scipy.special import expit


def layer(weight, bias, hidden, cell, x):
    b = len(x)
    forget = expit(x * weight[:b] + bias[:b])
    into = expit(hidden * weight[b : 2 * b] + bias[b : 2 * b])
    out = expit(x * weight[2 * b : 3 * b] + bias[2 * b : 3 * b])
    change = np.tanh(hidden * weight[3 * b :] + bias[3 * b :])
    cell = cell * forget + into * change
    return out * np.tanh(cell), cell


def objective(main_params, extra_params, state, sequence):
    state = state.copy()
    total = 0.0
    for t in range(len(sequence) - 1):
        x = sequence[t] * extra_params[0]
        for i in range(0, len(state), 2):
            hidden, cell = layer(main_params[i], main_params[i + 1], state[i], state[i + 1], x)
            state[i], state[i + 1] = hidden, cell
            x = hidden
        y = x * extra_params[1] + extra_params[2]
        total += np.sum(sequence[t + 1] * (y - np.log(np.sum(np.exp(y)) + 2.0)))
    return -total / ((len(sequence) - 1) * sequence.shape[1])


def jacobian(main_params, extra_params, state, sequence):
    dmain, dextra = grad(objective, (0, 1))(main_params, extra_params, state, sequence)
    return np.concatenate([dmain.ravel(), dextra.ravel()])
