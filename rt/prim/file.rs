//! stub
use crate::system::{Context, Outcome};
pub fn stdio<C: Context>(_c: &mut C, ) -> Outcome<(i64, i64), C> { Ok((0, 0)) }
pub fn stderr<C: Context>(_c: &mut C, ) -> Outcome<(i64, i64), C> { Ok((0, 0)) }
pub fn open<C: Context>(_c: &mut C, _name: u32, _mode: i64) -> Outcome<(i64, i64, i64), C> { Ok((0, 0, 0)) }
pub fn close<C: Context>(_c: &mut C, _file: i64, _position: i64) -> Outcome<i64, C> { Ok(0) }
pub fn reopen<C: Context>(_c: &mut C, _file: i64, _position: i64, _mode: i64) -> Outcome<(i64, i64, i64), C> { Ok((0, 0, 0)) }
pub fn read_char<C: Context>(_c: &mut C, _file: i64, _position: i64) -> Outcome<(i64, i64, i64, i64), C> { Ok((0, 0, 0, 0)) }
pub fn read_int<C: Context>(_c: &mut C, _file: i64, _position: i64) -> Outcome<(i64, i64, i64, i64), C> { Ok((0, 0, 0, 0)) }
pub fn read_real<C: Context>(_c: &mut C, _file: i64, _position: i64) -> Outcome<(i64, f64, i64, i64), C> { Ok((0, 0.0, 0, 0)) }
pub fn read_string<C: Context>(_c: &mut C, _sp: u32, _file: i64, _position: i64, _count: i64) -> Outcome<(u32, i64, i64), C> { Ok((0, 0, 0)) }
pub fn read_substring<C: Context>(_c: &mut C, _string: u32, _index: i64, _count: i64, _file: i64, _position: i64) -> Outcome<(u32, i64, i64, i64), C> { Ok((0, 0, 0, 0)) }
pub fn read_line<C: Context>(_c: &mut C, _sp: u32, _file: i64, _position: i64) -> Outcome<(u32, i64, i64), C> { Ok((0, 0, 0)) }
pub fn write_char<C: Context>(_c: &mut C, _character: i64, _file: i64, _position: i64) -> Outcome<(i64, i64), C> { Ok((0, 0)) }
pub fn write_int<C: Context>(_c: &mut C, _value: i64, _file: i64, _position: i64) -> Outcome<(i64, i64), C> { Ok((0, 0)) }
pub fn write_real<C: Context>(_c: &mut C, _value: f64, _file: i64, _position: i64) -> Outcome<(i64, i64), C> { Ok((0, 0)) }
pub fn write_string<C: Context>(_c: &mut C, _string: u32, _file: i64, _position: i64) -> Outcome<(i64, i64), C> { Ok((0, 0)) }
pub fn write_substring<C: Context>(_c: &mut C, _string: u32, _index: i64, _count: i64, _file: i64, _position: i64) -> Outcome<(i64, i64), C> { Ok((0, 0)) }
pub fn end<C: Context>(_c: &mut C, _file: i64, _position: i64) -> Outcome<(i64, i64, i64), C> { Ok((0, 0, 0)) }
pub fn error<C: Context>(_c: &mut C, _file: i64, _position: i64) -> Outcome<(i64, i64, i64), C> { Ok((0, 0, 0)) }
pub fn flush<C: Context>(_c: &mut C, _file: i64, _position: i64) -> Outcome<(i64, i64, i64), C> { Ok((0, 0, 0)) }
pub fn position<C: Context>(_c: &mut C, _file: i64, _position: i64) -> Outcome<(i64, i64, i64), C> { Ok((0, 0, 0)) }
pub fn seek<C: Context>(_c: &mut C, _file: i64, _position: i64, _offset: i64, _mode: i64) -> Outcome<(i64, i64, i64), C> { Ok((0, 0, 0)) }
