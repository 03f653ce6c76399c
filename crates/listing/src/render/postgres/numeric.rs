//! The exact decimal text of PostgreSQL's binary `numeric`.

use super::super::error::DecodeError;

/// A `numeric`: groups of four decimal digits, and where the point stands among them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Numeric<'r> {
    groups: &'r [[u8; 2]],
    /// The first group counts ten thousands to this power.
    weight: i16,
    sign: Sign,
    scale: u16,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sign {
    Positive,
    Negative,
    /// NaN and the infinities.
    NotFinite,
}

const MALFORMED: DecodeError = DecodeError::malformed("numeric");

impl<'r> Numeric<'r> {
    /// Reads and checks all of it, so that writing cannot fail.
    pub(crate) fn decode(bytes: &'r [u8]) -> Result<Self, DecodeError> {
        let (header, groups) = bytes.as_chunks::<2>();
        let ([count, weight, sign, scale, digits @ ..], []) = (header, groups) else {
            return Err(MALFORMED);
        };
        let sign = match u16::from_be_bytes(*sign) {
            0x0000 => Sign::Positive,
            0x4000 => Sign::Negative,
            0xC000 | 0xD000 | 0xF000 => Sign::NotFinite,
            _ => return Err(MALFORMED),
        };
        let scale = u16::from_be_bytes(*scale);
        let valid = digits.len() == usize::from(u16::from_be_bytes(*count))
            && digits.iter().all(|group| u16::from_be_bytes(*group) < 10_000)
            // The most that the server's own format can hold.
            && scale <= 0x3FFF;
        valid
            .then_some(Self {
                groups: digits,
                weight: i16::from_be_bytes(*weight),
                sign,
                scale,
            })
            .ok_or(MALFORMED)
    }

    pub(crate) fn is_finite(&self) -> bool {
        self.sign != Sign::NotFinite
    }

    /// Digits after the point.
    pub(crate) fn scale(&self) -> u32 {
        u32::from(self.scale)
    }

    /// Appends a finite number.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        let zero = self.groups.iter().all(|group| *group == [0, 0]);
        if self.sign == Sign::Negative && !zero {
            out.push(b'-');
        }
        let weight = i32::from(self.weight);
        let mut leading = true;
        for power in (0..=weight).rev() {
            let digits = four(self.group(power));
            // Only the first group that is not zero is written without its leading zeros.
            let skip = if leading {
                digits.iter().take_while(|digit| **digit == b'0').count()
            } else {
                0
            };
            leading &= skip == 4;
            out.extend_from_slice(&digits[skip..]);
        }
        if leading {
            out.push(b'0');
        }
        if self.scale == 0 {
            return;
        }
        out.push(b'.');
        let mut left = usize::from(self.scale);
        let mut power = -1;
        while left > 0 {
            let taken = left.min(4);
            out.extend_from_slice(&four(self.group(power))[..taken]);
            left -= taken;
            power -= 1;
        }
    }

    /// The group that counts ten thousands to `power`; those not sent are zero.
    fn group(&self, power: i32) -> u16 {
        let index = i32::from(self.weight) - power;
        let group = usize::try_from(index)
            .ok()
            .and_then(|index| self.groups.get(index));
        group.map_or(0, |group| u16::from_be_bytes(*group))
    }
}

fn four(group: u16) -> [u8; 4] {
    [group / 1000, group / 100 % 10, group / 10 % 10, group % 10]
        .map(|digit| b'0' + u8::try_from(digit).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn bytes(weight: i16, sign: u16, scale: u16, groups: &[u16]) -> Vec<u8> {
        let count = u16::try_from(groups.len()).unwrap();
        let mut bytes = [
            count.to_be_bytes(),
            weight.to_be_bytes(),
            sign.to_be_bytes(),
        ]
        .concat();
        bytes.extend(scale.to_be_bytes());
        bytes.extend(groups.iter().flat_map(|group| group.to_be_bytes()));
        bytes
    }

    /// Rule d55.
    #[test]
    fn binary_numerics_are_exact() {
        for (weight, sign, scale, groups, text) in [
            (0, 0, 0, &[][..], "0"),
            (0, 0, 2, &[], "0.00"),
            (-1, 0x4000, 2, &[500], "-0.05"),
            (
                4,
                0,
                9,
                &[1234, 5678, 9012, 3456, 7890, 1234, 5678, 9000],
                "12345678901234567890.123456789",
            ),
            (-5, 0, 20, &[1], "0.00000000000000000001"),
            (2, 0, 0, &[1], "100000000"),
            (1, 0, 4, &[1], "10000.0000"),
            (0, 0, 3, &[12, 3456], "12.345"),
            (-2, 0, 5, &[1000], "0.00001"),
            (0, 0x4000, 2, &[0], "0.00"),
        ] {
            let bytes = bytes(weight, sign, scale, groups);
            let mut out = Vec::new();
            Numeric::decode(&bytes).unwrap().write(&mut out);
            assert_eq!(String::from_utf8(out).unwrap(), text);
        }
        for sign in [0xC000, 0xD000, 0xF000] {
            assert!(
                !Numeric::decode(&bytes(0, sign, 0, &[]))
                    .unwrap()
                    .is_finite()
            );
        }
    }

    #[test]
    fn what_is_not_a_numeric_is_refused() {
        for bytes in [
            bytes(0, 1, 0, &[]),
            bytes(0, 0, 0x4000, &[]),
            bytes(0, 0, 0, &[10_000]),
            bytes(0, 0, 0, &[1])[..9].to_vec(),
            vec![0; 7],
            vec![0, 1, 0, 0, 0, 0, 0, 0],
        ] {
            assert_eq!(Numeric::decode(&bytes), Err(MALFORMED));
        }
    }

    proptest! {
        #[test]
        fn no_bytes_panic(bytes in any::<Vec<u8>>()) {
            if let Ok(numeric) = Numeric::decode(&bytes) {
                numeric.write(&mut Vec::new());
            }
        }
    }
}
