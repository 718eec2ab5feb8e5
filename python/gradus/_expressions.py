"""Objects that stand for an expression over others: what operators of Gradus and JAX make, and methods of instances."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from types import FunctionType, MethodType
from typing import Any

from ._base import Unsupported, listed, own_name
from ._constants import Constants
from ._definitions import EXPRESSION, Code, Definition, Parts, Statement, read_by
from ._made import Made, rules_of
from ._program import Apply, Place
from ._source import plain_method


class Expressions(Constants):
    """Text of expressions."""

    def _applied(self, expression: Any, hint: str, place: Place) -> Definition:
        if not isinstance(expression, Apply):
            return self.refer(expression, hint, place)
        value = self._value(hint, self._apply(expression, hint))
        is_decorator = not expression.kwargs and len(expression.args) == (2 if expression.name == "call" else 1)
        function = expression.args[-1] if is_decorator else None
        if isinstance(function, FunctionType) and isinstance(code := self._known.get(id(function)), Code) and not code.is_lambda:
            value.decorated = code
            head = expression.args[0] if expression.name == "call" else None
            value.decorator = self._operand(head, hint) if head is not None else value.parts[:1]
        return value

    def _apply(self, expression: Apply, hint: str) -> Parts:
        if expression.name == "call":
            return self._call(self._operand(expression.args[0], hint), expression.args[1:], expression.kwargs, hint)
        function = self._import("gradus", expression.name, expression.name)
        return self._call([function], expression.args, expression.kwargs, hint)

    def _by_library(self, made: Made, value: Any, hint: str) -> Definition:
        """A function that a library made of another one."""
        maker = self._import(made.module, made.name, made.name)
        definition = self._remember(value, self._value(hint, self._call([maker], made.args, made.kwargs, hint)))
        rules = rules_of(value) if made.name == "primitive" else []
        if made.name == "primitive" and not rules:
            raise Unsupported("a primitive of Autograd whose derivatives are not those of `defvjp` or `defjvp`")
        for rule in rules:
            parts = self._call([self._import(rule.module, rule.name, rule.name)], rule.args, rule.kwargs, hint)
            self.definitions.append(Statement("", EXPRESSION, hard=read_by(parts), parts=parts))
        return definition

    def _ruled(self, value: Any, hint: str) -> Definition:
        """A function with a rule of JAX for its derivative."""
        kind = type(value).__name__
        maker = self._import("jax", kind, kind)
        function = self.refer(value.fun, hint, Place("attr", value, "fun"))
        options: Parts = [f", nondiff_argnums={tuple(value.nondiff_argnums)!r}"] if value.nondiff_argnums else []
        definition = self._value(hint, [maker, "(", function, *options, ")"])
        if isinstance(function, Code) and not function.is_lambda:
            definition.decorated = function
            partial = self._import("functools", "partial", "partial")
            definition.decorator = [partial, "(", maker, *options, ")"] if options else [maker]
            definition.hard += read_by(definition.decorator)
        rules = {"defjvp": [value.jvp]} if kind == "custom_jvp" else {"defvjp": [value.fwd, value.bwd]}
        for name, functions in rules.items():
            if None in functions:
                raise Unsupported("a function without its rule")
            self._remember(value, definition)
            first = functions[0]
            if isinstance(first, FunctionType) and first.__name__ == "jvp" and first.__closure__ and "jvps" in first.__code__.co_freevars:
                name, functions = "defjvps", first.__closure__[first.__code__.co_freevars.index("jvps")].cell_contents
            rest = [self.expression(f, f"{hint}_rule", Place("item", functions, i)) for i, f in enumerate(functions)]
            parts = listed([definition, f".{name}("], rest, ")")
            self.definitions.append(Statement("", EXPRESSION, hard=read_by(parts), parts=parts))
        return definition

    def _operand(self, value: Any, hint: str, place: Place | None = None) -> Parts:
        if isinstance(value, Apply):
            return self._apply(value, hint)
        return self.expression(value, hint, place or Place("item", (value,), 0))

    def _call(self, head: Parts, args: tuple[Any, ...], kwargs: Mapping[str, Any], hint: str) -> Parts:
        items = [self._operand(v, f"{hint}_{i}", Place("item", args, i)) for i, v in enumerate(args)]
        items += [[f"{k}=", *self._operand(v, f"{hint}_{k}", Place("item", kwargs, k))] for k, v in kwargs.items()]
        return listed([*head, "("], items, ")")

    def _method(self, value: MethodType, hint: str) -> Parts:
        owner, function = value.__self__, value.__func__
        name = getattr(function, "__name__", "")
        found = inspect.getattr_static(owner, name, None)
        if found is not function and plain_method(found) is not function:
            raise Unsupported("a method that the class of its instance does not have")
        base = own_name(owner) or f"{hint}_self"
        return [self.refer(owner, base, Place("attr", value, "__self__")), f".{name}"]


def expression_of(value: Any) -> Any:
    """What an object of Gradus stands for; none of other objects."""
    if isinstance(value, FunctionType):
        # `functools.wraps` hands attributes on to functions that stand for themselves.
        module = value.__globals__.get("__name__")
        if not (isinstance(module, str) and module.split(".")[0] == "gradus"):
            return None
    if isinstance(value, type) or inspect.getattr_static(value, "__gradus_expression__", None) is None:
        return None
    return value.__gradus_expression__
