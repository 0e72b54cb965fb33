//! Programs become small.

use cleave::reduce::*;

#[test]
fn what_matters_stays() {
    let mut items: Vec<u32> = (0..100).collect();
    let mut tests = 0;
    let gone = leave_out(&mut items, |rest| {
        tests += 1;
        rest.contains(&17) && rest.contains(&80)
    });
    assert!(gone);
    assert_eq!(items, [17, 80]);
    assert!(tests < 100, "{tests} tests");
    assert!(!leave_out(&mut items, |_| false));
}
