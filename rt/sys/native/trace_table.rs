//! The table that the compiler makes for traces (`targets/native/trace_table.rs` describes its form): which function
//! and line an address is in, and how long frames without frame pointers are. It is read from its start each time, as
//! only an error asks.

/// Bytes of the head: four numbers of 32 bits.
const HEAD: usize = 16;

/// The table, and the code that it is of.
#[derive(Clone, Copy, Debug)]
pub struct TraceTable {
    bytes: &'static [u8],
    code: u64,
    code_length: u64,
}

/// What an address is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// Address of the function.
    pub start: u64,
    /// Eighths of the bytes from the stack pointer to the end of the frame; 0: there is a frame pointer.
    pub frame: u64,
    /// Number of a name, 0: none.
    pub name: u64,
    /// The line in the file of that name, 0: it is not known.
    pub line: u64,
}

/// Numbers one after the other.
struct Reader<'t>(&'t [u8]);

impl Reader<'_> {
    /// Seven bits in each byte, the lowest first.
    #[inline(never)]
    fn number(&mut self) -> u64 {
        let (mut number, mut shift) = (0, 0);
        while let [byte, rest @ ..] = self.0 {
            self.0 = rest;
            number |= u64::from(byte & 127) << shift;
            shift += 7;
            if *byte < 128 || shift > 56 {
                break;
            }
        }
        number
    }

    /// The last bit says if it is to be subtracted.
    fn difference(number: u64) -> u64 {
        (number >> 1) ^ (number & 1).wrapping_neg()
    }
}

impl<'t> Reader<'t> {
    #[inline(never)]
    fn text(&mut self) -> &'t [u8] {
        let length = (self.number() as usize).min(self.0.len());
        let (text, rest) = self.0.split_at(length);
        self.0 = rest;
        text
    }
}

impl TraceTable {
    /// # Safety
    /// The compiler has made the table for this code, and both stay.
    pub unsafe fn new(table: *const u8, code: u64, code_length: u64) -> Option<TraceTable> {
        if table.is_null() {
            return None;
        }
        // SAFETY: as the caller says; the table begins with its length.
        let bytes = unsafe {
            let length = table.cast::<u32>().read_unaligned();
            core::slice::from_raw_parts(table, length as usize)
        };
        Some(TraceTable { bytes, code, code_length })
    }

    fn head(&self, field: usize) -> usize {
        let bytes = self.bytes.get(4 * field..).and_then(|rest| rest.first_chunk());
        bytes.map_or(0, |bytes| u32::from_le_bytes(*bytes) as usize)
    }

    #[inline(never)]
    fn reader(&self, place: usize) -> Reader<'static> {
        Reader(self.bytes.get(place..).unwrap_or_default())
    }

    /// What an address is in; `None` for other code.
    #[inline(never)]
    pub fn place(&self, address: u64) -> Option<Place> {
        let offset = address.wrapping_sub(self.code);
        if offset >= self.code_length {
            return None;
        }
        let mut reader = self.reader(HEAD);
        let (mut start, mut name, mut line) = (0_u64, 0_u64, 0_u64);
        let mut found = None;
        for _ in 0..self.head(1) {
            start = start.wrapping_add(reader.number());
            if start > offset {
                break;
            }
            let frame = reader.number();
            let mut place = Place { start: self.code.wrapping_add(start), frame, name: 0, line: 0 };
            let mut at = start;
            for _ in 0..reader.number() {
                at = at.wrapping_add(reader.number());
                let what = reader.number();
                if what & 1 == 0 {
                    line = line.wrapping_add(Reader::difference(what >> 1));
                } else {
                    name = name.wrapping_add(Reader::difference(what >> 1));
                    line = line.wrapping_add(Reader::difference(reader.number()));
                }
                if at <= offset {
                    (place.name, place.line) = (name, line);
                }
            }
            found = Some(place);
        }
        found
    }

    /// How far above the stack pointer a frame ends, in a function without frame pointer: at a call that waits, which
    /// the address is in, or where it was interrupted.
    #[inline(never)]
    pub fn frame_size(&self, address: u64, waits: bool) -> Option<u64> {
        let frame = self.place(address)?.frame;
        match frame {
            0 => None,
            // The stack pointer is moved around each call.
            1 if waits || is_call(address) => Some(16),
            _ => Some(8 * frame),
        }
    }

    /// The name of this number and the file of its lines.
    #[inline(never)]
    pub fn name(&self, number: u64) -> (&'static [u8], &'static [u8]) {
        let mut names = self.reader(self.head(2));
        let (mut name, mut file): (&[u8], u64) = (&[], 0);
        for _ in 0..number {
            (name, file) = (names.text(), names.number());
        }
        let mut files = self.reader(self.head(3));
        let mut text: &[u8] = &[];
        for _ in 0..=file {
            text = files.text();
        }
        (name, text)
    }
}

/// An instruction that calls something begins at this address of the code.
fn is_call(address: u64) -> bool {
    const DIRECT: u8 = 0xe8;
    const PREFIX: u8 = 0x41;
    const INDIRECT: u8 = 0xff;
    // SAFETY: the processor was about to execute the instruction; none of the program is shorter than what is read.
    let byte = |at: u64| unsafe { ((address + at) as *const u8).read() };
    match byte(0) {
        PREFIX => byte(1) == INDIRECT,
        first => first == DIRECT || first == INDIRECT,
    }
}
