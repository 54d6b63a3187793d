"""The size check must count real functions, whatever braces stand in comments and literals."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Scripts" / "lib"))

from source_functions import cxx_functions, swift_functions  # noqa: E402


def summary(functions):
    return [(function.name, function.first_line, function.lines) for function in functions]


class SwiftFunctions(unittest.TestCase):
    def test_a_body_is_counted_from_its_declaration_to_its_closing_brace(self):
        source = "struct A {\n    func b() {\n        c()\n    }\n}\n"
        self.assertEqual(summary(swift_functions(source)), [("b", 2, 3)])

    def test_braces_in_strings_and_comments_do_not_count(self):
        source = (
            'func a() {\n    let x = "} \\(b("}")) {"\n    let y = #"\\" } "#\n'
            '    // }\n    /* } /* } */ } */\n    let z = """\n      } " }\n      """\n}\n'
        )
        self.assertEqual(summary(swift_functions(source)), [("a", 1, 9)])

    def test_default_closures_and_where_clauses_belong_to_the_declaration(self):
        source = "func a(_ f: (Int) -> Void = { _ in }) async throws(E) -> [Int]\nwhere B: C {\n}\n"
        self.assertEqual(summary(swift_functions(source)), [("a", 1, 3)])

    def test_requirements_and_stored_properties_have_no_body(self):
        source = (
            "protocol A {\n    func b(c: Int) -> Int\n    init?(d: String)\n    func e()\n}\n"
            "struct F {\n    var g: Int = 1\n    var h: Int\n}\n"
        )
        self.assertEqual(summary(swift_functions(source)), [])

    def test_initialisers_subscripts_operators_and_computed_properties_count(self):
        source = (
            "struct A {\n    init<T>(b: T) {\n        self.init(c: 1)\n    }\n    deinit {}\n"
            "    subscript(i: Int) -> Int { 1 }\n    static func < (a: A, b: A) -> Bool { true }\n"
            "    var d: Int {\n        1\n    }\n}\n"
        )
        self.assertEqual(
            summary(swift_functions(source)),
            [("init", 2, 3), ("deinit", 5, 1), ("subscript", 6, 1), ("<", 7, 1), ("d", 8, 3)],
        )


class CxxFunctions(unittest.TestCase):
    def test_functions_in_namespaces_and_classes_are_found(self):
        source = (
            "namespace a {\nstruct b : c<d> {\n    b() : e(1) {\n    }\n    ~b() {}\n};\n}\n"
            'extern "C" {\nint f(void) {\n    return 1;\n}\n}\n'
        )
        self.assertEqual(summary(cxx_functions(source)), [("b", 3, 2), ("~b", 5, 1), ("f", 9, 3)])

    def test_literals_directives_and_comments_do_not_count(self):
        source = (
            "#define M(a) { \\\n    a\nint f() {\n    char c = '{';\n    int n = 1'000;\n"
            '    auto r = R"x(} )" } )x";\n    // }\n    /* } */\n    auto s = "}\\"}";\n}\n'
        )
        self.assertEqual(summary(cxx_functions(source)), [("f", 3, 8)])

    def test_initial_values_are_no_functions(self):
        source = "int a[] = { 1, 2 };\nint b{3};\nauto c = f(1, g{2});\nenum d { e };\n"
        self.assertEqual(summary(cxx_functions(source)), [])

    def test_a_constructor_with_braced_members_is_one_function(self):
        source = "struct a {\n    a(int b) : c{b}, d{1} {\n        e();\n    }\n};\n"
        self.assertEqual(summary(cxx_functions(source)), [("a", 2, 3)])

    def test_templates_and_braced_default_arguments_are_seen_through(self):
        source = "template <class T>\nint f(T a, std::vector<T> b = {}) noexcept {\n    return 1;\n}\n"
        self.assertEqual(summary(cxx_functions(source)), [("f", 1, 4)])


if __name__ == "__main__":
    unittest.main()
