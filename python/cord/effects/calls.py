"""Calls: what a callee does to the values that it is given, and what comes back."""

from __future__ import annotations

import ast

from cord.knowledge import objects, outside, unseen
from cord.knowledge.rows import FRESH, PRINTS, SELF
from cord.source.definitions import Class, Function, decorator_names

from . import summary as kinds
from .arguments import Arguments, default_of
from .libraries import Libraries, callee_text, write_of
from .summary import Effect
from .translation import Translation
from .values import (
    ALLOC,
    BOUND,
    CLASS,
    CONST,
    FREE,
    FUNC,
    GLOBAL,
    ITEM,
    LIB,
    MODULE,
    NOTHING,
    OUTSIDE,
    PARAM,
    SCALAR,
    TEXT,
    UNKNOWN,
    Obj,
    Value,
    may_be_new,
    one,
    ordered,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .frame import Frame

SUPER = "super"
METHOD = "bound method "  # of a builtin type; its name follows
_WORTHLESS = frozenset({CONST, UNKNOWN, LIB, MODULE})  # nobody asks where it is kept
_MOST_CALLS = 200  # calls followed in one pass over a function
_DEEPEST = 6  # calls of what was passed to a call of what was passed ...
_MOST_GUESSED = 6  # methods of one name, of which any may be meant
_IMMUTABLE_DEFAULTS = (ast.Constant, ast.Tuple, ast.UnaryOp, ast.BinOp)
Via = tuple[tuple[str, str, int], ...]


class Calls:
    """Applies calls to a frame."""

    def __init__(self, frame: Frame) -> None:
        self._frame = frame
        self._world = frame.world
        self._analysis = frame.analysis
        self.libraries = Libraries(frame, self._call_passed)
        self._left = _MOST_CALLS
        self._deep = 0
        self._passed_on: set[tuple[Obj, ast.AST]] = set()
        self._writes: dict[ast.AST, ast.AST] = {}
        self.decorating = False

    def begin(self) -> None:
        """Before another pass over the function."""
        self._passed_on.clear()
        self._left = _MOST_CALLS

    def call(self, callees: Value, arguments: Arguments, node: ast.AST, text: str) -> Value:
        """Calls what an expression may be; `text` names it in messages."""
        result: set[Obj] = set()
        self._left -= 1
        if self._deep > _DEEPEST or self._left < 0:
            self._frame.summary.overflow = True
            return SCALAR
        self._deep += 1
        for callee in ordered(callees):
            result |= self._invoke(callee, arguments, node, text)
        self._deep -= 1
        return frozenset(result)

    def _invoke(self, callee: Obj, arguments: Arguments, node: ast.AST, text: str) -> Value:
        if callee.kind == FUNC:
            function = self._world.functions[callee.owner, callee.name]
            closure = callee if callee.path else None
            return self._function(function, arguments, node, None, closure)
        if callee.kind == BOUND:
            function = self._world.functions[callee.owner, callee.name]
            target = frozenset(self._frame.heap.get(callee, {}).get("$self", ()))
            return self._function(function, arguments, node, target)
        if callee.kind == CLASS:
            return self._make(callee, arguments, node)
        if callee.kind == LIB:
            self._write_to_given(callee.name, arguments, node)
            return self.libraries.call(callee.name, arguments, node)
        if self._is_builtin_method(callee):
            parent = Obj(callee.kind, callee.owner, callee.name, callee.path[:-1])
            return self._method_of(parent, callee.path[-1][1:], arguments, node)
        if callee.kind == GLOBAL:
            return self._held_globally(callee, arguments, node, text)
        if callee.kind in (PARAM, FREE):
            types = self._frame.type_names(callee)
            if any(":" in name for name in types):
                return self.method(one(callee), "__call__", arguments, node)
            self._frame.effect(kinds.CALLS, callee, node)
            return one(Obj(UNKNOWN, "", text))
        if callee.kind == ALLOC and callee.name.startswith(METHOD):
            target = frozenset(self._frame.heap.get(callee, {}).get("$self", ()))
            return self.method(target, callee.name.removeprefix(METHOD), arguments, node)
        if callee.kind == ALLOC and callee.name == "maker":
            for obj in ordered(arguments.all()):
                self._frame.walked(obj, node, kinds.HANDS)
            return self.libraries.result("", FRESH, arguments, NOTHING, node)
        if callee.kind == ALLOC and callee.name == "partial":
            return self._partial(callee, arguments, node, text)
        if callee.kind == ALLOC and ":" in callee.name:
            return self.method(one(callee), "__call__", arguments, node)
        if callee.kind == CONST:
            return SCALAR
        return self.libraries.unknown(text, arguments, node)

    def _write_to_given(self, dotted: str, arguments: Arguments, node: ast.AST) -> None:
        """What prints to a stream that it is given calls the stream's `write`."""
        given = frozenset(o for o in arguments.keywords.get("file", ()) if o.kind != CONST)
        row = outside.of_call(dotted) if given else None
        if row is not None and PRINTS in row.effects:
            write = self._writes.get(node) or self._writes.setdefault(node, write_of(node))
            for obj in ordered(given):
                if obj.kind == PARAM and not self._frame.type_names(obj):  # sys.stderr, or a file
                    self._unknown_method(obj, "write", Arguments([TEXT]), write)
                else:
                    self.method(one(obj), "write", Arguments([TEXT]), write)

    def _is_builtin_method(self, callee: Obj) -> bool:
        """Whether what is called was reached as a method that lists, strings, ... have."""
        if callee.kind not in OUTSIDE or not callee.path or callee.path[-1][0] != ".":
            return False
        return objects.by_name(callee.path[-1][1:]) is not None

    def _held_globally(self, callee: Obj, arguments: Arguments, node: ast.AST, text: str) -> Value:
        """Calls an object, or a partial function, that a global holds."""
        types = self._frame.type_names(callee)
        if any(":" in name for name in types):
            return self.method(one(callee), "__call__", arguments, node)
        if "maker" in types:
            return self.libraries.result("", FRESH, arguments, NOTHING, node)
        if "partial" in types:
            found = self._frame.load(one(callee), "$function") - {callee}
            called = frozenset(obj for obj in found if obj.kind != GLOBAL)
            if called:
                return self.call(called, arguments, node, text)
        return self.libraries.unknown(text, arguments, node)

    def _partial(self, callee: Obj, arguments: Arguments, node: ast.AST, text: str) -> Value:
        stored = self._frame.heap.get(callee, {})
        given = frozenset(stored.get(ITEM, ()))
        whole = Arguments(
            list(arguments.positional), dict(arguments.keywords), arguments.rest | given
        )
        called = frozenset(stored.get("$function", ()))
        return (
            self.call(called, whole, node, text)
            if called
            else self.libraries.unknown(text, whole, node)
        )

    # ---- functions of the project --------------------------------------------------------------

    def _function(
        self,
        function: Function,
        arguments: Arguments,
        node: ast.AST,
        target: Value | None = None,
        closure: Obj | None = None,
    ) -> Value:
        decorators = decorator_names(function.node)
        if function.is_method and target is None and "classmethod" in decorators:
            target = one(Obj(CLASS, *function.cls.id)) if function.cls else None
        if not function.is_method:
            target = None
        bound = self._bind(function, arguments, target)
        return self.apply(function, bound, node, closure)

    def _bind(
        self, function: Function, arguments: Arguments, target: Value | None
    ) -> dict[str, Value]:
        """What each parameter of a function gets."""
        assert not isinstance(function.node, ast.Module)
        spec = function.node.args
        names = [argument.arg for argument in [*spec.posonlyargs, *spec.args]]
        values = list(arguments.positional)
        if target is not None:
            values.insert(0, target)
        bound = dict(zip(names, values, strict=False))
        extra = frozenset().union(*values[len(names) :]) if len(values) > len(names) else NOTHING
        others: set[Obj] = set()
        names += [argument.arg for argument in spec.kwonlyargs]
        for name, value in arguments.keywords.items():
            if name in names:
                bound[name] = bound.get(name, NOTHING) | value
            else:
                others |= value
        for name in names:
            if name not in bound:
                bound[name] = arguments.rest | self._default(function, name)
        for kind, argument, inside in (
            ("tuple", spec.vararg, extra | arguments.rest),
            ("dict", spec.kwarg, frozenset(others) | arguments.rest),
        ):
            if argument is not None:
                made = self._frame.alloc(function.node, kind, (argument.arg,))
                self._frame.put(made, ITEM, inside)
                bound[argument.arg] = one(made)
        return bound

    def _default(self, function: Function, name: str) -> Value:
        """What a parameter is that is not passed: a default that can change is kept."""
        assert not isinstance(function.node, ast.Module)
        default = default_of(function.node.args, name)
        if isinstance(default, (ast.Name, ast.Attribute)):
            found: set[Obj] = set()
            for obj in self._world.resolve(function.id[0], default):
                found |= self._frame.read_global(obj, default)
            return frozenset(found) or SCALAR
        if default is None or isinstance(default, _IMMUTABLE_DEFAULTS):
            return SCALAR
        if isinstance(default, ast.Lambda):
            return NOTHING
        return one(Obj(GLOBAL, function.id[0], f"{function.id[1]}.{name}="))

    def apply(
        self,
        function: Function,
        bound: dict[str, Value],
        node: ast.AST,
        closure: Obj | None = None,
    ) -> Value:
        """What a call of a function of the project does here, as far as it is known by now."""
        frame = self._frame
        self._left -= 1
        if self._left < 0:
            frame.summary.overflow = True
            return SCALAR
        frame.summary.calls.setdefault(function.id, getattr(node, "lineno", 0))
        if ".".join(function.id) in self._analysis.assumed:
            return one(frame.alloc(node, ""))
        for name, value in bound.items():
            if self.decorating and any(obj.kind == FUNC for obj in value):
                self._analysis.decorated.add((function.id, name))
            else:
                self._analysis.note_variable(function.id, name, value)
        summary = self._analysis.summary_for(function.id, frame.function.id)
        frame.summary.overflow |= summary.overflow
        frame.spend(len(summary.effects) + len(summary.stores))
        translation = Translation(frame, function, bound, node, closure)
        step = (function.name, frame.module, getattr(node, "lineno", 0))
        for effect in list(summary.effects.values()):
            self._take_over(effect, translation, (step, *effect.via), node)
        for obj, field_name, stored in list(summary.stores):
            self._take_over_store(obj, field_name, stored, translation, node)
        return translation.result(summary, function)

    def _take_over(self, effect: Effect, translation: Translation, via: Via, node: ast.AST) -> None:
        frame = self._frame
        if effect.kind == kinds.CHANGES:
            for obj in ordered(translation.translate(effect.subject)):
                frame.changed(obj, node, via, effect)
        elif effect.kind == kinds.REBINDS:
            scope = translation.scope_of(effect.subject)
            if scope == "kept":
                cell = translation.cell(effect.subject)
                frame.effect(kinds.WRITES, cell, node, via, effect)
            elif scope == "around":
                frame.effect(kinds.REBINDS, effect.subject, node, via, effect)
        elif effect.kind == kinds.CALLS:
            self._call_what_it_calls(effect, translation, via, node)
        elif effect.kind in (kinds.WALKS, kinds.HANDS, kinds.LOOKS):
            for obj in ordered(translation.translate(effect.subject)):
                frame.walked(obj, node, effect.kind, via, effect)
        elif effect.kind == kinds.NAMED:
            self._take_over_named(effect, translation, via, node)
        elif effect.kind in (kinds.READS, kinds.WRITES) and self._is_own(effect.subject):
            return
        else:
            frame.effect(effect.kind, effect.subject, node, via, effect)

    def _take_over_named(
        self, effect: Effect, translation: Translation, via: Via, node: ast.AST
    ) -> None:
        """A method that was told by its name alone may be told by the type of what is passed."""
        kind, owner, name, path = effect.subject
        for obj in ordered(translation.translate(Obj(kind, owner, name, path[:-1]))):
            if obj.kind in (PARAM, FREE) and not self._frame.type_names(obj):
                called = Obj(obj.kind, obj.owner, obj.name, (*obj.path, path[-1]))
                self._frame.effect(kinds.NAMED, called, node, via, effect)

    def _is_own(self, subject: Obj) -> bool:
        return self._frame.is_body and subject.owner == self._frame.module

    def _call_what_it_calls(
        self, effect: Effect, translation: Translation, via: Via, node: ast.AST
    ) -> None:
        subject = effect.subject
        around = (translation.function.id[0], subject.owner)
        if subject.kind == FREE and (around, subject.name) in self._analysis.decorated:
            return  # what is decorated is called in its own right
        for obj in ordered(translation.translate(subject)):
            if obj.kind in (PARAM, FREE):
                self._frame.effect(kinds.CALLS, obj, node, via, effect)
            elif obj.kind in (GLOBAL, UNKNOWN):
                subject = Obj(LIB, "", obj.name)
                self._frame.effect(kinds.UNKNOWN_CALL, subject, node, via, effect)
            else:
                self._call_passed(obj, Arguments(rest=translation.given()), node, effect.how)

    def _take_over_store(
        self, obj: Obj, step: str, stored: Obj, translation: Translation, node: ast.AST
    ) -> None:
        frame = self._frame
        value = translation.translate(stored, (step,))
        for target in ordered(translation.translate(obj)):
            if target.kind in (CONST, LIB):
                continue
            if step:
                frame.put(target, step, value)
            kept = frozenset(item for item in value if item.kind not in _WORTHLESS)
            frame.record_store(target, step, kept, getattr(node, "lineno", 0))

    # ---- classes -------------------------------------------------------------------------------

    def _make(self, callee: Obj, arguments: Arguments, node: ast.AST) -> Value:
        """Makes an object of a class of the project."""
        cls = self._world.classes[callee.owner, callee.name]
        made = self._frame.alloc(node, f"{callee.owner}:{callee.name}")
        found = False
        for name in ("__new__", "__init__"):
            method = cls.find_method(name)
            if method is not None:
                found = True
                first = one(made) if name == "__init__" else one(callee)
                self.apply(method, self._bind(method, arguments, first), node)
        if not found:
            self._fill(cls, made, arguments)
            after = cls.find_method("__post_init__")
            if after is not None:
                self.apply(after, self._bind(after, Arguments(), one(made)), node)
            for base in sorted(cls.ancestry()):
                if not is_known_base(base):
                    self.libraries.unknown(base, arguments, node)
        return one(made)

    def _fill(self, cls: Class, made: Obj, arguments: Arguments) -> None:
        """Puts arguments into the fields of a dataclass, a named tuple and the like."""
        fields = {
            statement.target.id: statement.value
            for parent in reversed(list(cls.lineage()))
            for statement in parent.node.body
            if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name)
        }
        names = list(fields)
        for number, value in enumerate(arguments.positional):
            step = f".{names[number]}" if number < len(names) else ".*"
            self._frame.put(made, step, value)
        for name in names[len(arguments.positional) :]:
            if name not in arguments.keywords and fields[name] is not None:
                default = self._frame.alloc(cls.node, _made_by_default(fields[name]), (name,))
                self._frame.put(made, f".{name}", one(default))
        for name, value in arguments.keywords.items():
            self._frame.put(made, f".{name}", value)
        self._frame.put(made, ".*", arguments.rest)
        self._frame.put(made, ITEM, arguments.all())

    # ---- methods -------------------------------------------------------------------------------

    def method(self, receiver: Value, name: str, arguments: Arguments, node: ast.AST) -> Value:
        """Calls `receiver.name(...)`."""
        result: set[Obj] = set()
        before = self._frame.unsure
        self._frame.unsure |= may_be_new(receiver)
        for obj in ordered(receiver):
            result |= self._method_of(obj, name, arguments, node)
        self._frame.unsure = before
        return frozenset(result)

    def _method_of(self, obj: Obj, name: str, arguments: Arguments, node: ast.AST) -> Value:
        if obj.kind in (MODULE, LIB, CLASS):
            return self._member(obj, name, arguments, node)
        if obj.kind == SUPER:
            return self._super(obj, name, arguments, node)
        held = self._held(obj, name)
        if held:
            return self.call(held, arguments, node, name)
        result: set[Obj] = set()
        types = self._frame.type_names(obj)
        for type_name in ordered(types):
            if ":" in type_name:
                result |= self._own_method(obj, type_name, name, arguments, node)
                continue
            row = objects.of_type(type_name, name)
            if row is not None:
                result |= self.libraries.row(f"{type_name}.{name}", row, arguments, node, obj)
            elif obj.kind != CONST or objects.knows(type_name):
                result |= self._by_name(obj, name, arguments, node)
        return frozenset(result) if types else self._by_name(obj, name, arguments, node)

    def _held(self, obj: Obj, name: str) -> Value:
        """Functions that are stored in the object under that name."""
        stored = self._frame.heap.get(obj, {}).get(f".{name}", ())
        return frozenset(o for o in stored if o.kind in (FUNC, BOUND, LIB, CLASS))

    def _member(self, obj: Obj, name: str, arguments: Arguments, node: ast.AST) -> Value:
        found = self._world.member(obj, name)
        if not found:
            return self.libraries.unknown(f"{obj.name}.{name}", arguments, node)
        result: set[Obj] = set()
        for callee in ordered(found):
            if callee.kind == FUNC and obj.kind == CLASS:
                function = self._world.functions[callee.owner, callee.name]
                result |= self._function(function, arguments, node)
            else:
                for value in ordered(self._frame.read_global(callee, node)):
                    result |= self._invoke(value, arguments, node, f"{obj.name}.{name}")
        return frozenset(result)

    def _super(self, obj: Obj, name: str, arguments: Arguments, node: ast.AST) -> Value:
        cls = self._world.classes[obj.owner, obj.name]
        target = self._frame.lookup(obj.path[0], node) if obj.path else NOTHING
        if name == "__new__" and not any("__new__" in c.methods for c in cls.bases):
            return one(self._frame.alloc(node, f"{obj.owner}:{obj.name}"))
        for parent in list(cls.lineage())[1:]:
            if name in parent.methods:
                return self._function(parent.methods[name], arguments, node, target)
        if all(is_known_base(base) for base in cls.ancestry()):
            if name not in ("__init__", "__new__", "__init_subclass__", "__post_init__"):
                for one_target in ordered(target):
                    self._by_name(one_target, name, arguments, node)
            return target
        return self.libraries.unknown(f"super().{name}", arguments, node)

    def _own_method(
        self, obj: Obj, type_name: str, name: str, arguments: Arguments, node: ast.AST
    ) -> Value:
        cls = class_of(self._world.classes, type_name)
        if cls is None:
            return self._by_name(obj, name, arguments, node)
        found = [] if obj.kind == ALLOC else cls.overriding(name)
        method = cls.find_method(name)
        if method is not None:
            found = [method, *found]
        if not found:
            held = self._analysis.field_values(type_name, f".{name}", self._frame.function.id)
            called = frozenset(o for o in held if o.kind in (FUNC, BOUND, LIB, CLASS))
            if called:
                return self.call(called, arguments, node, name)
            if cls.find_attribute(name) is not None:
                return self._member(Obj(CLASS, *cls.id), name, arguments, node)
            return self._by_name(obj, name, arguments, node)
        result: set[Obj] = set()
        for function in found:
            result |= self._function(function, arguments, node, one(obj))
        return frozenset(result)

    def _by_name(self, obj: Obj, name: str, arguments: Arguments, node: ast.AST) -> Value:
        """A method of an object of unknown type."""
        own = self._world.methods.get(name, [])
        row = objects.by_name(name)
        if obj.path and obj.path[-1] == "[:]" and name in objects.LIST_ONLY:
            return SCALAR
        result: set[Obj] = set()
        if not own and obj.kind in (PARAM, FREE, UNKNOWN, GLOBAL):
            said = self._by_name_alone(obj, name, arguments, node)
            if said is not None:
                return said
        if row is not None:
            before = self._frame.unsure
            self._frame.unsure |= (
                row.changes == SELF and row.gives == "const" and self._is_used(node)
            )
            result |= self.libraries.row(name, row, arguments, node, obj)
            self._frame.unsure = before
        if len(own) > _MOST_GUESSED and obj.kind != CONST:
            return frozenset(result) | self._unknown_method(obj, name, arguments, node)
        if own and obj.kind != CONST:
            before, self._frame.doubtful = self._frame.doubtful, row is not None
            for function in own:
                result |= self._function(function, arguments, node, one(obj))
            self._frame.doubtful = before
        elif row is None:
            return self._unknown_method(obj, name, arguments, node)
        elif obj.kind == GLOBAL and self._analysis.has_unknown(obj):
            # Of what comes of a call that is not known, a name says too little to be sure.
            result |= self._unknown_method(obj, name, arguments, node)
        elif not row.changes and self._says_too_little(obj, name):
            called = Obj(obj.kind, obj.owner, obj.name, (*obj.path, f".{name}"))
            self._frame.effect(kinds.NAMED, called, node)
        return frozenset(result)

    def _says_too_little(self, obj: Obj, name: str) -> bool:
        """Whether a method of that name may have an effect, for all that is known of the object."""
        is_known = bool(self._frame.type_names(obj))
        return obj.kind in (PARAM, FREE) and not is_known and name not in unseen.SURE

    def _by_name_alone(
        self, obj: Obj, name: str, arguments: Arguments, node: ast.AST
    ) -> Value | None:
        """A method of something not known, if its name says that it has an effect; else None."""
        row = unseen.row_of(name)
        if row is None or self._frame.type_names(obj):
            return None
        made = {o.name for o in arguments.all() if o.kind == ALLOC}
        if unseen.makes_a_value(name, len(arguments.all()), made):
            return None
        return self.libraries.row(name, row, arguments, node, obj)

    def _is_used(self, node: ast.AST) -> bool:
        """Whether something is done with what a call gives.

        It is more than the None of a method that changes its object then, so that another one of
        this name is meant (`image = image.resize(size)`).
        """
        return isinstance(node, ast.Call) and node not in self._frame.dropped

    def _unknown_method(self, obj: Obj, name: str, arguments: Arguments, node: ast.AST) -> Value:
        if obj.kind == CONST:
            return SCALAR
        assert isinstance(node, ast.AST)
        text = callee_text(node) or f"{obj.name}.{name}"
        self.libraries.unknown(text, arguments, node)
        kept = {obj} if obj.kind in OUTSIDE or obj.kind == ALLOC else set()
        return frozenset(kept | {Obj(UNKNOWN, "", text)})

    def _call_passed(self, obj: Obj, arguments: Arguments, node: ast.AST, text: str) -> None:
        """A call that is made inside another one; each only once, or they would not end."""
        if (obj, node) not in self._passed_on:
            self._passed_on.add((obj, node))
            self._invoke(obj, arguments, node, text)


def _made_by_default(default: ast.expr | None) -> str:
    """The type of `field(default_factory=list)`, as far as it is a builtin one."""
    for keyword in default.keywords if isinstance(default, ast.Call) else ():
        if keyword.arg == "default_factory" and isinstance(keyword.value, ast.Name):
            return keyword.value.id if keyword.value.id in ("list", "dict", "set") else ""
    return ""


def is_known_base(dotted: str) -> bool:
    """Whether making an object of a class derived from this one has no effect."""
    return dotted.startswith("builtins.") or outside.find(dotted) is not None


def class_of(classes: dict[tuple[str, str], Class], type_name: str) -> Class | None:
    """The class of the project that a type name stands for."""
    module, _, name = type_name.partition(":")
    return classes.get((module, name))
