# A long short-term memory (LSTM) of eight cells learns to say the next point of a wave. Gradients go back through all of the 40
# points, and through the loop over them. Gives the loss before every 25th step.
#
#   $ gradus run examples/lstm.py train 100
#   [0.4837800572081451, 0.25663678201621926, 0.17952714460615052, 0.14101129106067095]

import numpy as np
from gradus import value_and_grad
from scipy.special import expit


def loss(p, wave):
    wx, wh, b, out = p
    h, c = np.zeros(8), np.zeros(8)
    total = 0.0
    for i in range(len(wave) - 1):
        a = wave[i] * wx + h @ wh + b
        c = expit(a[:8]) * c + expit(a[8:16]) * np.tanh(a[16:24])
        h = expit(a[24:]) * np.tanh(c)
        total += (h @ out - wave[i + 1]) ** 2
    return total / (len(wave) - 1)


def train(steps):
    wave = np.sin(0.4 * np.arange(41))
    wx = 0.4 * np.sin(12.9898 * np.arange(32))
    wh = 0.2 * np.sin(78.233 * np.arange(256)).reshape(8, 32)
    b, out = np.zeros(32), 0.4 * np.sin(37.719 * np.arange(8))
    losses = np.zeros(steps)
    for i in range(steps):
        losses[i], ((dwx, dwh, db, dout),) = value_and_grad(loss, (0,))((wx, wh, b, out), wave)
        wx, wh, b, out = wx - 0.2 * dwx, wh - 0.2 * dwh, b - 0.2 * db, out - 0.2 * dout
    return losses[::25]
