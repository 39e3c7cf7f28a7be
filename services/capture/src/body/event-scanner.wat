;; Scans one event of a body, faster than JavaScript can: 16 bytes of a string at a time. It proves that the event is JSON, and
;; writes down the positions of the fields whose names may be known. It declines whatever it cannot prove: json-reader.ts reads
;; that event instead. So it may err in one direction only, and knows nothing about bad events. event-scanner.ts fills the
;; memory, reads the fields, and has the command that assembles this file.
;;
;; Memory, in bytes (event-scanner.ts has the same numbers):
;;      0  i32 keys of objects, i32 levels of nesting, i32 end of the fields: of the last event that was scanned
;;     64  256 bytes: what may be the name of a member, by slot (length * 37 + last byte): 1 an event's, 2 a property's, 4 batch
;;    320  fields, 20 bytes each: i32 flags (1: of a member's member, 2: name has escapes, 4: value is a string with escapes),
;;         i32 start and end of the name with its quotes, i32 start and end of the value
;;   4096  the body, and behind it 16 zeros: no token begins with one, and no string goes on behind one
(module
  (memory (export "memory") 17)

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

  (func $isDigit (param $byte i32) (result i32)
    (i32.lt_u (i32.sub (local.get $byte) (i32.const 0x30)) (i32.const 10)))

  (func $isHexDigit (param $byte i32) (result i32)
    (i32.or (call $isDigit (local.get $byte))
            (i32.lt_u (i32.sub (i32.or (local.get $byte) (i32.const 0x20)) (i32.const 0x61)) (i32.const 6))))

  ;; Behind the escape whose backslash is at $at; 0 when it is none.
  (func $escape (param $at i32) (result i32)
    (local $byte i32)
    (local.set $byte (i32.load8_u offset=1 (local.get $at)))
    (if (i32.eq (local.get $byte) (i32.const 0x75))                                                                ;; u
      (then
        (return (select (i32.add (local.get $at) (i32.const 6)) (i32.const 0)
          (i32.and
            (i32.and (call $isHexDigit (i32.load8_u offset=2 (local.get $at))) (call $isHexDigit (i32.load8_u offset=3 (local.get $at))))
            (i32.and (call $isHexDigit (i32.load8_u offset=4 (local.get $at))) (call $isHexDigit (i32.load8_u offset=5 (local.get $at)))))))))
    (select (i32.add (local.get $at) (i32.const 2)) (i32.const 0)
      (i32.or
        (i32.or
          (i32.or (i32.eq (local.get $byte) (i32.const 0x22)) (i32.eq (local.get $byte) (i32.const 0x5c)))         ;; " \
          (i32.or (i32.eq (local.get $byte) (i32.const 0x2f)) (i32.eq (local.get $byte) (i32.const 0x62))))        ;; / b
        (i32.or
          (i32.or (i32.eq (local.get $byte) (i32.const 0x66)) (i32.eq (local.get $byte) (i32.const 0x6e)))         ;; f n
          (i32.or (i32.eq (local.get $byte) (i32.const 0x72)) (i32.eq (local.get $byte) (i32.const 0x74)))))))     ;; r t

  ;; Behind the digits at $at; 0 when there is none.
  (func $digits (param $at i32) (result i32)
    (if (i32.eqz (call $isDigit (i32.load8_u (local.get $at)))) (then (return (i32.const 0))))
    (loop $next
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (br_if $next (call $isDigit (i32.load8_u (local.get $at)))))
    (local.get $at))

  ;; Behind the number at $at; 0 when it is none.
  (func $number (param $at i32) (result i32)
    (local $byte i32)
    (if (i32.eq (i32.load8_u (local.get $at)) (i32.const 0x2d))                                                    ;; -
      (then (local.set $at (i32.add (local.get $at) (i32.const 1)))))
    (if (i32.eq (i32.load8_u (local.get $at)) (i32.const 0x30))                                                    ;; 0
      (then (local.set $at (i32.add (local.get $at) (i32.const 1))))
      (else (if (i32.eqz (local.tee $at (call $digits (local.get $at)))) (then (return (i32.const 0))))))
    (if (i32.eq (i32.load8_u (local.get $at)) (i32.const 0x2e))                                                    ;; .
      (then (if (i32.eqz (local.tee $at (call $digits (i32.add (local.get $at) (i32.const 1))))) (then (return (i32.const 0))))))
    (if (i32.ne (i32.or (i32.load8_u (local.get $at)) (i32.const 0x20)) (i32.const 0x65)) (then (return (local.get $at))))   ;; e
    (local.set $at (i32.add (local.get $at) (i32.const 1)))
    (local.set $byte (i32.load8_u (local.get $at)))
    (call $digits (i32.add (local.get $at)
      (i32.or (i32.eq (local.get $byte) (i32.const 0x2b)) (i32.eq (local.get $byte) (i32.const 0x2d))))))          ;; + -

  ;; Behind the number or word at $at; 0 when it is neither. Words are compared four bytes at a time, the first one last.
  (func $scalar (param $at i32) (result i32)
    (local $four i32)
    (local.set $four (i32.load (local.get $at)))
    (if (i32.eq (local.get $four) (i32.const 0x65757274)) (then (return (i32.add (local.get $at) (i32.const 4)))))           ;; true
    (if (i32.eq (local.get $four) (i32.const 0x6c6c756e)) (then (return (i32.add (local.get $at) (i32.const 4)))))           ;; null
    (if (i32.eq (local.get $four) (i32.const 0x736c6166))                                                                    ;; fals
      (then (return (select (i32.add (local.get $at) (i32.const 5)) (i32.const 0)
        (i32.eq (i32.load8_u offset=4 (local.get $at)) (i32.const 0x65))))))                                                 ;; e
    (call $number (local.get $at)))

  ;; Behind the event at $at, which begins with a brace; 0 when it is declined: no JSON, deeper than 64 levels, too many
  ;; members with known names, or, when $refused is 4, with a member that may be a batch.
  (func (export "scan") (param $at i32) (param $refused i32) (result i32)
    (local $first i32)                    ;; byte that a value or name begins with
    (local $start i32)                    ;; opening quote of the string
    (local $bytes v128) (local $stops i32)
    (local $isName i32)                   ;; 1 when what comes next must be the name of a member
    (local $escaped i32)                  ;; 4 when the string that was scanned last has escapes
    (local $depth i32) (local $deepest i32) (local $keys i32)
    (local $kinds i64)                    ;; of the levels that are open, the innermost in the lowest bit: 1 for an object
    (local $inObject i32)
    (local $slot i32)
    (local $field i32)                    ;; position of the next field
    (local $outer i32) (local $inner i32) ;; fields whose values are being scanned, at level 1 and 2, or 0
    (local.set $field (i32.const 320))
    (loop $value
      (local.set $first (i32.load8_u (local.get $at)))
      (block $scanned
        (if (i32.eq (local.get $first) (i32.const 0x22))
          (then
            (local.set $start (local.get $at))
            (local.set $at (i32.add (local.get $at) (i32.const 1)))
            (local.set $escaped (i32.const 0))
            ;; Sixteen bytes at a time, up to a quote, a backslash or a control character.
            (loop $string
              (local.set $bytes (v128.load (local.get $at)))
              (local.set $stops (i8x16.bitmask (v128.or
                (v128.or (i8x16.eq (local.get $bytes) (v128.const i8x16 0x22 0x22 0x22 0x22 0x22 0x22 0x22 0x22 0x22 0x22 0x22 0x22 0x22 0x22 0x22 0x22))
                         (i8x16.eq (local.get $bytes) (v128.const i8x16 0x5c 0x5c 0x5c 0x5c 0x5c 0x5c 0x5c 0x5c 0x5c 0x5c 0x5c 0x5c 0x5c 0x5c 0x5c 0x5c)))
                (i8x16.lt_u (local.get $bytes) (v128.const i8x16 0x20 0x20 0x20 0x20 0x20 0x20 0x20 0x20 0x20 0x20 0x20 0x20 0x20 0x20 0x20 0x20)))))
              (if (i32.eqz (local.get $stops))
                (then
                  (local.set $at (i32.add (local.get $at) (i32.const 16)))
                  (br $string)))
              (local.set $at (i32.add (local.get $at) (i32.ctz (local.get $stops))))
              (local.set $stops (i32.load8_u (local.get $at)))
              (if (i32.ne (local.get $stops) (i32.const 0x22))
                (then
                  (if (i32.ne (local.get $stops) (i32.const 0x5c)) (then (return (i32.const 0))))
                  (if (i32.eqz (local.tee $at (call $escape (local.get $at)))) (then (return (i32.const 0))))
                  (local.set $escaped (i32.const 4))
                  (br $string))))
            (local.set $at (i32.add (local.get $at) (i32.const 1)))
            (br_if $scanned (i32.eqz (local.get $isName)))
            (local.set $isName (i32.const 0))
            (local.set $keys (i32.add (local.get $keys) (i32.const 1)))
            (if (i32.le_u (local.get $depth) (i32.const 2))
              (then
                ;; What the name may be: anything, when it has escapes. Of a level's number the bit is its kind of name.
                (local.set $slot
                  (if (result i32) (local.get $escaped)
                    (then (i32.const 7))
                    (else (i32.load8_u offset=64 (i32.and (i32.const 255) (i32.add
                      (i32.mul (i32.sub (i32.sub (local.get $at) (local.get $start)) (i32.const 2)) (i32.const 37))
                      (i32.load8_u (i32.sub (local.get $at) (i32.const 2)))))))))
                (if (i32.and (i32.eq (local.get $depth) (i32.const 1)) (i32.ne (i32.and (local.get $slot) (local.get $refused)) (i32.const 0)))
                  (then (return (i32.const 0))))
                (if (i32.and (local.get $slot) (local.get $depth))
                  (then
                    (if (i32.eq (local.get $field) (i32.const 4080)) (then (return (i32.const 0))))
                    (i32.store offset=4 (local.get $field) (local.get $start))
                    (i32.store offset=8 (local.get $field) (local.get $at))
                    (if (i32.eq (local.get $depth) (i32.const 1))
                      (then
                        (i32.store (local.get $field) (i32.shr_u (local.get $escaped) (i32.const 1)))
                        (local.set $outer (local.get $field))
                        (local.set $field (i32.add (local.get $field) (i32.const 20))))
                      (else
                        (if (local.get $outer)
                          (then
                            (i32.store (local.get $field) (i32.or (i32.const 1) (i32.shr_u (local.get $escaped) (i32.const 1))))
                            (local.set $inner (local.get $field))
                            (local.set $field (i32.add (local.get $field) (i32.const 20)))))))))))
            (if (i32.le_u (i32.load8_u (local.get $at)) (i32.const 0x20)) (then (local.set $at (call $blanks (local.get $at)))))
            (if (i32.ne (i32.load8_u (local.get $at)) (i32.const 0x3a)) (then (return (i32.const 0))))                       ;; :
            (local.set $at (i32.add (local.get $at) (i32.const 1)))
            (if (i32.le_u (i32.load8_u (local.get $at)) (i32.const 0x20)) (then (local.set $at (call $blanks (local.get $at)))))
            (if (i32.and (i32.eq (local.get $depth) (i32.const 1)) (i32.ne (local.get $outer) (i32.const 0)))
              (then (i32.store offset=12 (local.get $outer) (local.get $at))))
            (if (i32.and (i32.eq (local.get $depth) (i32.const 2)) (i32.ne (local.get $inner) (i32.const 0)))
              (then (i32.store offset=12 (local.get $inner) (local.get $at))))
            (br $value)))
        (if (local.get $isName) (then (return (i32.const 0))))
        (local.set $escaped (i32.const 0))
        ;; [ and { differ in one bit.
        (if (i32.ne (i32.or (local.get $first) (i32.const 0x20)) (i32.const 0x7b))
          (then
            (br_if $scanned (local.tee $at (call $scalar (local.get $at))))
            (return (i32.const 0))))
        (if (i32.eq (local.get $depth) (i32.const 64)) (then (return (i32.const 0))))
        (local.set $depth (i32.add (local.get $depth) (i32.const 1)))
        (if (i32.gt_u (local.get $depth) (local.get $deepest)) (then (local.set $deepest (local.get $depth))))
        (local.set $isName (i32.eq (local.get $first) (i32.const 0x7b)))
        (local.set $kinds (i64.or (i64.shl (local.get $kinds) (i64.const 1)) (i64.extend_i32_u (local.get $isName))))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (if (i32.le_u (i32.load8_u (local.get $at)) (i32.const 0x20)) (then (local.set $at (call $blanks (local.get $at)))))
        ;; A closing bracket has the code of its opening one and two.
        (br_if $value (i32.ne (i32.load8_u (local.get $at)) (i32.add (local.get $first) (i32.const 2))))
        (local.set $isName (i32.const 0))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (local.set $depth (i32.sub (local.get $depth) (i32.const 1)))
        (local.set $kinds (i64.shr_u (local.get $kinds) (i64.const 1))))
      ;; Behind a value, and behind each bracket that closes there.
      (loop $behind
        (if (i32.le_u (local.get $depth) (i32.const 2))
          (then
            (if (i32.eqz (local.get $depth))
              (then
                (i32.store (i32.const 0) (local.get $keys))
                (i32.store (i32.const 4) (local.get $deepest))
                (i32.store (i32.const 8) (local.get $field))
                (return (local.get $at))))
            (if (i32.eq (local.get $depth) (i32.const 1))
              (then
                (if (local.get $outer)
                  (then
                    (i32.store (local.get $outer) (i32.or (i32.load (local.get $outer)) (local.get $escaped)))
                    (i32.store offset=16 (local.get $outer) (local.get $at))
                    (local.set $outer (i32.const 0)))))
              (else
                (if (local.get $inner)
                  (then
                    (i32.store (local.get $inner) (i32.or (i32.load (local.get $inner)) (local.get $escaped)))
                    (i32.store offset=16 (local.get $inner) (local.get $at))
                    (local.set $inner (i32.const 0))))))))
        (if (i32.le_u (i32.load8_u (local.get $at)) (i32.const 0x20)) (then (local.set $at (call $blanks (local.get $at)))))
        (local.set $first (i32.load8_u (local.get $at)))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (local.set $inObject (i32.wrap_i64 (i64.and (local.get $kinds) (i64.const 1))))
        (if (i32.eq (local.get $first) (i32.const 0x2c))                                                                     ;; ,
          (then
            (if (i32.le_u (i32.load8_u (local.get $at)) (i32.const 0x20)) (then (local.set $at (call $blanks (local.get $at)))))
            (local.set $isName (local.get $inObject))
            (br $value)))
        ;; ] and } differ in the same bit.
        (if (i32.ne (local.get $first) (i32.add (i32.const 0x5d) (i32.shl (local.get $inObject) (i32.const 5)))) (then (return (i32.const 0))))
        (local.set $escaped (i32.const 0))
        (local.set $depth (i32.sub (local.get $depth) (i32.const 1)))
        (local.set $kinds (i64.shr_u (local.get $kinds) (i64.const 1)))
        (br $behind)))
    (unreachable)))
