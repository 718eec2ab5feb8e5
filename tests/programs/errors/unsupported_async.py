# entry: f
# args: 2.0
# exit: 3
# message: async
# line: 8


async def f(x):
    return x
