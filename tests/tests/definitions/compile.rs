//! What the compiler refuses, with the words that it finds for it.

#[test]
fn c1_r7_c2_1_p2_c2_2_r1_c2_4_r1_c7_t4_what_is_wrong_does_not_compile() {
    trybuild::TestCases::new().compile_fail("tests/definitions/must_not_compile/*.rs");
}
