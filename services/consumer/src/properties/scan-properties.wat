;; Scans the properties of one event once, 16 bytes of a text at a time: proves that they are a JSON object, writes the entries
;; of the column `properties` as ClickHouse wants them, and writes down the ranges of the watched members. Objects, arrays, texts
;; with escapes and unusual numbers are left to scan-properties.ts, one value at a time. It declines what it cannot prove: those
;; properties are parsed. scan-properties.ts fills the memory, and has the command that assembles this file.
;;
;; Memory, in bytes (scan-properties.ts has the same numbers):
;;      0  i32 position of the value that is left to JavaScript; i32 end of the entries; i32 members; i32 entries; i32 end of the ranges
;;     20  i32 where the entry of that member begins, i32 which watched name it has, or -1: kept while JavaScript is at work
;;     28  i32 round of the names seen; i32 how many watched names stay out of the map, which come first; i32 end of the body
;;     40  i64 shape: a hash of the names and of the kinds of their values, in order; i32 hash of that member's name, while JavaScript is at work
;;   1024  1024 bytes: the watched name of each slot, 255 for none
;;   2048  12 bytes for each watched name: i32 hash, i32 position, i32 length
;;   4096  the watched names, and 8 bytes behind the last
;;   8192  1024 slots of the names seen: i32 hash, i32 round
;;  16384  ranges: for each watched member i32 name, i32 start and i32 end of its value in the body
;;  32768  the body, and behind it 16 zeros: no token begins with one, and no text goes on behind one
;; 1114112  the entries, and room for 16 bytes too many
(module
  (memory (export "memory") 34)

  ;; Behind the white space at $at.
  (func $blanks (param $at i32) (result i32)
    (local $byte i32)
    (loop $next
      (local.set $byte (i32.load8_u (local.get $at)))
      (if (i32.or (i32.or (i32.eq (local.get $byte) (i32.const 0x20)) (i32.eq (local.get $byte) (i32.const 0x0a)))
                  (i32.or (i32.eq (local.get $byte) (i32.const 0x0d)) (i32.eq (local.get $byte) (i32.const 0x09))))
        (then
          (local.set $at (i32.add (local.get $at) (i32.const 1)))
          (br $next))))
    (local.get $at))

  ;; Copies the text whose first byte is at $from to $to; answers where it ends: at a quote, a backslash or a control character.
  (func $text (param $from i32) (param $to i32) (result i32)
    (local $bytes v128) (local $stops i32)
    (loop $next
      (local.set $bytes (v128.load (local.get $from)))
      (v128.store (local.get $to) (local.get $bytes))
      (local.set $stops (i8x16.bitmask (v128.or
        (v128.or (i8x16.eq (local.get $bytes) (v128.const i8x16 0x22 0x22 0x22 0x22 0x22 0x22 0x22 0x22 0x22 0x22 0x22 0x22 0x22 0x22 0x22 0x22))
                 (i8x16.eq (local.get $bytes) (v128.const i8x16 0x5c 0x5c 0x5c 0x5c 0x5c 0x5c 0x5c 0x5c 0x5c 0x5c 0x5c 0x5c 0x5c 0x5c 0x5c 0x5c)))
        (i8x16.lt_u (local.get $bytes) (v128.const i8x16 0x20 0x20 0x20 0x20 0x20 0x20 0x20 0x20 0x20 0x20 0x20 0x20 0x20 0x20 0x20 0x20)))))
      (if (i32.eqz (local.get $stops))
        (then
          (local.set $from (i32.add (local.get $from) (i32.const 16)))
          (local.set $to (i32.add (local.get $to) (i32.const 16)))
          (br $next))))
    (i32.add (local.get $from) (i32.ctz (local.get $stops))))

  ;; The first $length bytes at $at, at most eight, the others as zeros.
  (func $few (param $at i32) (param $length i32) (result i64)
    (i64.and (i64.load (local.get $at))
      (i64.sub (i64.shl (i64.const 1) (i64.extend_i32_u (i32.shl (local.get $length) (i32.const 3)))) (i64.const 1))))

  (func $mix (param $hash i64) (param $eight i64) (result i64)
    (local.set $hash (i64.mul (i64.xor (local.get $hash) (local.get $eight)) (i64.const 0x9e3779b97f4a7c15)))
    (i64.xor (local.get $hash) (i64.shr_u (local.get $hash) (i64.const 32))))

  ;; Of the bytes of a name: equal names have equal hashes.
  (func $hash (export "hash") (param $at i32) (param $length i32) (result i32)
    (local $hash i64) (local $last i32)
    (local.set $hash (i64.extend_i32_u (local.get $length)))
    (if (i32.lt_u (local.get $length) (i32.const 8))
      (then (return (i32.wrap_i64 (call $mix (local.get $hash) (call $few (local.get $at) (local.get $length)))))))
    (local.set $last (i32.sub (i32.add (local.get $at) (local.get $length)) (i32.const 8)))
    (loop $next
      (if (i32.lt_u (local.get $at) (local.get $last))
        (then
          (local.set $hash (call $mix (local.get $hash) (i64.load (local.get $at))))
          (local.set $at (i32.add (local.get $at) (i32.const 8)))
          (br $next))))
    (i32.wrap_i64 (call $mix (local.get $hash) (i64.load (local.get $last)))))

  ;; Whether two names of one length have the same bytes.
  (func $isSame (param $one i32) (param $other i32) (param $length i32) (result i32)
    (local $last i32)
    (if (i32.lt_u (local.get $length) (i32.const 8))
      (then (return (i64.eq (call $few (local.get $one) (local.get $length)) (call $few (local.get $other) (local.get $length))))))
    (local.set $last (i32.sub (local.get $length) (i32.const 8)))
    (if (i64.ne (i64.load (i32.add (local.get $one) (local.get $last))) (i64.load (i32.add (local.get $other) (local.get $last)))) (then (return (i32.const 0))))
    (local.set $last (i32.add (local.get $one) (local.get $last)))
    (loop $next
      (if (i32.ge_u (local.get $one) (local.get $last)) (then (return (i32.const 1))))
      (if (i64.ne (i64.load (local.get $one)) (i64.load (local.get $other))) (then (return (i32.const 0))))
      (local.set $one (i32.add (local.get $one) (i32.const 8)))
      (local.set $other (i32.add (local.get $other) (i32.const 8)))
      (br $next))
    (unreachable))

  ;; Which of the watched names it is, or -1.
  (func $watched (param $hash i32) (param $at i32) (param $length i32) (result i32)
    (local $slot i32) (local $name i32) (local $known i32)
    (local.set $slot (local.get $hash))
    (loop $next
      (local.set $slot (i32.and (local.get $slot) (i32.const 1023)))
      (local.set $name (i32.load8_u offset=1024 (local.get $slot)))
      (if (i32.eq (local.get $name) (i32.const 255)) (then (return (i32.const -1))))
      (local.set $known (i32.mul (local.get $name) (i32.const 12)))
      (if (i32.and (i32.eq (i32.load offset=2048 (local.get $known)) (local.get $hash)) (i32.eq (i32.load offset=2056 (local.get $known)) (local.get $length)))
        (then (if (call $isSame (local.get $at) (i32.load offset=2052 (local.get $known)) (local.get $length)) (then (return (local.get $name))))))
      (local.set $slot (i32.add (local.get $slot) (i32.const 1)))
      (br $next))
    (unreachable))

  ;; False when a name of this hash was seen in this round.
  (func $isNew (param $hash i32) (param $round i32) (result i32)
    (local $slot i32) (local $slotAt i32)
    (local.set $slot (local.get $hash))
    (loop $next
      (local.set $slotAt (i32.shl (i32.and (local.get $slot) (i32.const 1023)) (i32.const 3)))
      (if (i32.eq (i32.load offset=8196 (local.get $slotAt)) (local.get $round))
        (then
          (if (i32.eq (i32.load offset=8192 (local.get $slotAt)) (local.get $hash)) (then (return (i32.const 0))))
          (local.set $slot (i32.add (local.get $slot) (i32.const 1)))
          (br $next))))
    (i32.store offset=8192 (local.get $slotAt) (local.get $hash))
    (i32.store offset=8196 (local.get $slotAt) (local.get $round))
    (i32.const 1))

  (func $isDigit (param $byte i32) (result i32)
    (i32.lt_u (i32.sub (local.get $byte) (i32.const 0x30)) (i32.const 10)))

  ;; Behind the digits at $at.
  (func $digits (param $at i32) (result i32)
    (loop $next
      (if (call $isDigit (i32.load8_u (local.get $at)))
        (then
          (local.set $at (i32.add (local.get $at) (i32.const 1)))
          (br $next))))
    (local.get $at))

  ;; Behind the number at $at, if it is written as JavaScript prints it, as far as its digits tell (`endOfPlainNumber`); else 0.
  (func $number (param $at i32) (result i32)
    (local $first i32) (local $digits i32) (local $fraction i32) (local $isZero i32) (local $byte i32)
    (local.set $first (i32.add (local.get $at) (i32.eq (i32.load8_u (local.get $at)) (i32.const 0x2d))))                     ;; -
    (local.set $isZero (i32.eq (i32.load8_u (local.get $first)) (i32.const 0x30)))                                           ;; 0
    (local.set $byte (local.get $at))
    (local.set $at (call $digits (local.get $first)))
    (local.set $digits (i32.sub (local.get $at) (local.get $first)))
    (if (i32.or (i32.eqz (local.get $digits)) (i32.and (local.get $isZero) (i32.gt_u (local.get $digits) (i32.const 1)))) (then (return (i32.const 0))))
    (if (i32.eq (i32.load8_u (local.get $at)) (i32.const 0x2e))                                                              ;; .
      (then
        (local.set $first (i32.add (local.get $at) (i32.const 1)))
        (local.set $at (call $digits (local.get $first)))
        (local.set $fraction (i32.sub (local.get $at) (local.get $first)))
        (local.set $digits (i32.add (local.get $digits) (local.get $fraction)))
        ;; Below 0.000001 JavaScript prints an exponent, and it prints no zeros at the end.
        (if (i32.eqz (local.get $fraction)) (then (return (i32.const 0))))
        (if (i32.eq (i32.load8_u (i32.sub (local.get $at) (i32.const 1))) (i32.const 0x30)) (then (return (i32.const 0))))
        (if (i32.and (local.get $isZero) (i32.gt_u (local.get $fraction) (i32.const 6))) (then (return (i32.const 0)))))
      (else (if (i32.and (local.get $isZero) (i32.ne (local.get $byte) (local.get $first))) (then (return (i32.const 0))))))
    ;; More digits than a double can tell apart.
    (if (i32.gt_u (local.get $digits) (i32.const 15)) (then (return (i32.const 0))))
    (local.set $byte (i32.load8_u (local.get $at)))
    (if (i32.eq (i32.or (local.get $byte) (i32.const 0x20)) (i32.const 0x65)) (then (return (i32.const 0))))                 ;; e
    (if (i32.or (i32.eq (local.get $byte) (i32.const 0x2b)) (i32.or (i32.eq (local.get $byte) (i32.const 0x2d)) (i32.eq (local.get $byte) (i32.const 0x2e))))
      (then (return (i32.const 0))))                                                                                         ;; + - .
    (local.get $at))

  ;; Behind the word at $at; 0 when it is none. Words are compared four bytes at a time, the first one last.
  (func $word (param $at i32) (result i32)
    (local $four i32)
    (local.set $four (i32.load (local.get $at)))
    (if (i32.eq (local.get $four) (i32.const 0x65757274)) (then (return (i32.add (local.get $at) (i32.const 4)))))           ;; true
    (if (i32.and (i32.eq (local.get $four) (i32.const 0x736c6166)) (i32.eq (i32.load8_u offset=4 (local.get $at)) (i32.const 0x65)))
      (then (return (i32.add (local.get $at) (i32.const 5)))))                                                               ;; fals e
    (i32.const 0))

  ;; Goes on: from the beginning when $length is -2; else behind the value that was left to JavaScript, which ends before $at and of
  ;; which $length bytes were written two bytes behind the end of the entries, or -1 when it gets no entry.
  ;; Returns 0 when all is scanned, 1 when a value is left to JavaScript, 2 when the properties are declined.
  (func (export "scan") (param $at i32) (param $length i32) (result i32)
    (local $start i32)                    ;; of the name, then of the value
    (local $end i32)                      ;; of the entries
    (local $before i32)                   ;; where the member's entry begins
    (local $name i32) (local $hash i32) (local $first i32) (local $rangeAt i32) (local $round i32)
    (local $members i32) (local $entries i32) (local $resumed i32) (local $shape i64) (local $kind i32)
    (local.set $round (i32.load (i32.const 28)))
    (local.set $end (i32.load (i32.const 4)))
    (local.set $rangeAt (i32.load (i32.const 16)))
    (if (i32.eq (local.get $length) (i32.const -2))
      (then
        (local.set $at (call $blanks (local.get $at)))
        (if (i32.ne (i32.load8_u (local.get $at)) (i32.const 0x7b)) (then (return (i32.const 2))))                           ;; {
        (local.set $at (call $blanks (i32.add (local.get $at) (i32.const 1)))))
      (else
        (local.set $resumed (i32.const 1))
        (local.set $shape (i64.load (i32.const 40)))
        (local.set $hash (i32.load (i32.const 48)))
        (local.set $start (i32.load (i32.const 0)))
        (local.set $members (i32.load (i32.const 8)))
        (local.set $entries (i32.load (i32.const 12)))
        (local.set $before (i32.load (i32.const 20)))
        (local.set $name (i32.load (i32.const 24)))))
    (block $closed
      (if (i32.eqz (local.get $resumed)) (then (br_if $closed (i32.eq (i32.load8_u (local.get $at)) (i32.const 0x7d)))))     ;; }
      (loop $member
        (block $valued
          (br_if $valued (local.get $resumed))
          (if (i32.ne (i32.load8_u (local.get $at)) (i32.const 0x22)) (then (return (i32.const 2))))
          (local.set $before (local.get $end))
          (local.set $start (i32.add (local.get $at) (i32.const 1)))
          (local.set $at (call $text (local.get $start) (i32.add (local.get $end) (i32.const 1))))
          (local.set $length (i32.sub (local.get $at) (local.get $start)))
          ;; Names with escapes and long ones are declined: so the length takes one byte.
          (if (i32.or (i32.ne (i32.load8_u (local.get $at)) (i32.const 0x22)) (i32.gt_u (local.get $length) (i32.const 127))) (then (return (i32.const 2))))
          (i32.store8 (local.get $end) (local.get $length))
          (local.set $end (i32.add (local.get $end) (i32.add (local.get $length) (i32.const 1))))
          (local.set $hash (call $hash (local.get $start) (local.get $length)))
          (if (i32.eq (local.get $members) (i32.const 256)) (then (return (i32.const 2))))
          (local.set $members (i32.add (local.get $members) (i32.const 1)))
          (if (i32.eqz (call $isNew (local.get $hash) (local.get $round))) (then (return (i32.const 2))))
          (local.set $name (call $watched (local.get $hash) (local.get $start) (local.get $length)))
          (local.set $at (call $blanks (i32.add (local.get $at) (i32.const 1))))
          (if (i32.ne (i32.load8_u (local.get $at)) (i32.const 0x3a)) (then (return (i32.const 2))))                         ;; :
          (local.set $start (call $blanks (i32.add (local.get $at) (i32.const 1))))
          (local.set $first (i32.load8_u (local.get $start)))
          (if (i32.eq (local.get $first) (i32.const 0x22))
            (then
              (local.set $at (call $text (i32.add (local.get $start) (i32.const 1)) (i32.add (local.get $end) (i32.const 2))))
              (local.set $length (i32.sub (i32.sub (local.get $at) (local.get $start)) (i32.const 1)))
              (local.set $at (i32.add (local.get $at) (i32.const 1)))
              (br_if $valued (i32.eq (i32.load8_u (i32.sub (local.get $at) (i32.const 1))) (i32.const 0x22)))
              (if (i32.ne (i32.load8_u (i32.sub (local.get $at) (i32.const 1))) (i32.const 0x5c)) (then (return (i32.const 2)))))
            (else
              (if (i32.eq (i32.load (local.get $start)) (i32.const 0x6c6c756e))                                              ;; null
                (then
                  (local.set $length (i32.const -3))
                  (local.set $at (i32.add (local.get $start) (i32.const 4)))
                  (br $valued)))
              ;; Objects, arrays and odd numbers are for JavaScript.
              (if (i32.ne (i32.or (local.get $first) (i32.const 0x20)) (i32.const 0x7b))
                (then
                  (if (i32.or (call $isDigit (local.get $first)) (i32.eq (local.get $first) (i32.const 0x2d)))
                    (then (local.set $at (call $number (local.get $start))))
                    (else (if (i32.eqz (local.tee $at (call $word (local.get $start)))) (then (return (i32.const 2))))))
                  (if (local.get $at)
                    (then
                      (local.set $length (i32.sub (local.get $at) (local.get $start)))
                      ;; Longer than 17 bytes it cannot be: 15 digits, a sign and a point.
                      (v128.store offset=2 (local.get $end) (v128.load (local.get $start)))
                      (i32.store8 offset=18 (local.get $end) (i32.load8_u offset=16 (local.get $start)))
                      (br $valued)))))))
          (i32.store (i32.const 0) (local.get $start))
          (i32.store (i32.const 4) (local.get $end))
          (i32.store (i32.const 8) (local.get $members))
          (i32.store (i32.const 12) (local.get $entries))
          (i32.store (i32.const 16) (local.get $rangeAt))
          (i32.store (i32.const 20) (local.get $before))
          (i32.store (i32.const 24) (local.get $name))
          (i64.store (i32.const 40) (local.get $shape))
          (i32.store (i32.const 48) (local.get $hash))
          (return (i32.const 1)))
        (local.set $resumed (i32.const 0))
        ;; The kind of a value by its first byte: digits and - are one, true and false are one, and so are texts, but those whose first
        ;; byte is a digit and whose fifth is a -, which may be times.
        (local.set $kind (i32.load8_u (local.get $start)))
        (if (i32.eq (local.get $kind) (i32.const 0x22))
          (then (local.set $kind (i32.add (local.get $kind) (i32.and (call $isDigit (i32.load8_u offset=1 (local.get $start))) (i32.eq (i32.load8_u offset=5 (local.get $start)) (i32.const 0x2d))))))
          (else (if (i32.or (call $isDigit (local.get $kind)) (i32.eq (local.get $kind) (i32.const 0x2d))) (then (local.set $kind (i32.const 0x30)))
            (else (if (i32.eq (local.get $kind) (i32.const 0x66)) (then (local.set $kind (i32.const 0x74))))))))
        (local.set $shape (call $mix (local.get $shape) (i64.or (i64.shl (i64.extend_i32_u (local.get $hash)) (i64.const 8)) (i64.extend_i32_u (local.get $kind)))))
        ;; Of the value $length bytes stand two bytes behind $end. -3: it is null; -1, or more than 8,192: it gets no entry.
        (if (i32.or (i32.and (i32.lt_s (local.get $length) (i32.const 0)) (i32.ne (local.get $length) (i32.const -3)))
                    (i32.or (i32.gt_s (local.get $length) (i32.const 8192)) (i32.lt_u (local.get $name) (i32.load (i32.const 32)))))
          (then (local.set $end (local.get $before)))
          (else
            (local.set $entries (i32.add (local.get $entries) (i32.const 1)))
            (i32.store8 (local.get $end) (i32.eq (local.get $length) (i32.const -3)))
            (local.set $end (i32.add (local.get $end) (i32.const 1)))
            (if (i32.ge_s (local.get $length) (i32.const 0))
              (then
                (if (i32.lt_u (local.get $length) (i32.const 128))
                  (then (i32.store8 (local.get $end) (local.get $length)))
                  (else
                    (memory.copy (i32.add (local.get $end) (i32.const 2)) (i32.add (local.get $end) (i32.const 1)) (local.get $length))
                    (i32.store8 (local.get $end) (i32.or (i32.and (local.get $length) (i32.const 127)) (i32.const 128)))
                    (i32.store8 offset=1 (local.get $end) (i32.shr_u (local.get $length) (i32.const 7)))
                    (local.set $end (i32.add (local.get $end) (i32.const 1)))))
                (local.set $end (i32.add (local.get $end) (i32.add (local.get $length) (i32.const 1))))))))
        (if (i32.ne (local.get $name) (i32.const -1))
          (then
            (i32.store (local.get $rangeAt) (local.get $name))
            (i32.store offset=4 (local.get $rangeAt) (i32.sub (local.get $start) (i32.const 32768)))
            (i32.store offset=8 (local.get $rangeAt) (i32.sub (local.get $at) (i32.const 32768)))
            (local.set $rangeAt (i32.add (local.get $rangeAt) (i32.const 12)))))
        (local.set $at (call $blanks (local.get $at)))
        (br_if $closed (i32.eq (i32.load8_u (local.get $at)) (i32.const 0x7d)))                                              ;; }
        (if (i32.ne (i32.load8_u (local.get $at)) (i32.const 0x2c)) (then (return (i32.const 2))))                           ;; ,
        (local.set $at (call $blanks (i32.add (local.get $at) (i32.const 1))))
        (br $member)))
    (if (i32.ne (call $blanks (i32.add (local.get $at) (i32.const 1))) (i32.load (i32.const 36))) (then (return (i32.const 2))))
    (i32.store (i32.const 4) (local.get $end))
    (i32.store (i32.const 8) (local.get $members))
    (i32.store (i32.const 12) (local.get $entries))
    (i32.store (i32.const 16) (local.get $rangeAt))
    (i64.store (i32.const 40) (local.get $shape))
    (i32.const 0)))
