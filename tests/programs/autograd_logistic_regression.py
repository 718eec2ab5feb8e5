# entry: training_loss_after
# args: [0.1, -0.2, 0.3], 5
# by: autograd
# note: logistic regression in the style of Autograd's examples, and its gradient with respect to where training began

import autograd.numpy as np
from autograd import grad

inputs = np.array([[0.52, 1.12, 0.77], [0.88, -1.08, 0.15], [0.52, 0.06, -1.30], [0.74, -2.49, 1.39]])
targets = np.array([True, True, False, True])


def sigmoid(x):
    return 0.5 * (np.tanh(x) + 1)


def logistic_predictions(weights, inputs):
    return sigmoid(np.dot(inputs, weights))


def training_loss(weights):
    preds = logistic_predictions(weights, inputs)
    label_probabilities = preds * targets + (1 - preds) * (1 - targets)
    return -np.sum(np.log(label_probabilities))


training_gradient_fun = grad(training_loss)


def training_loss_after(weights, steps):
    for i in range(steps):
        weights -= training_gradient_fun(weights) * 0.1
    return training_loss(weights)
