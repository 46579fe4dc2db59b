#lang racket/base
;; Sorts the numbers of a file in parts: each part goes over TCP to a worker, which is a place (a
;; thread of the operating system with a heap of its own), as the paper's workers were machines.
;;
;; usage: racket sort.rkt FILE ALGORITHM WORKERS REPEATS SIZE...
(require racket/fasl racket/list racket/place racket/tcp)
(provide work main)

(define (insertion-sort numbers)
  (define sorted (list->vector numbers))
  (for ([next (in-range 1 (vector-length sorted))])
    (define number (vector-ref sorted next))
    (let loop ([place next])
      (cond
        [(and (> place 0) (> (vector-ref sorted (- place 1)) number))
         (vector-set! sorted place (vector-ref sorted (- place 1)))
         (loop (- place 1))]
        [else (vector-set! sorted place number)])))
  (vector->list sorted))

(define (quick-sort numbers)
  (cond
    [(or (null? numbers) (null? (cdr numbers))) numbers]
    [else
     (define pivot (list-ref numbers (quotient (length numbers) 2)))
     (define-values (low rest) (partition (lambda (one) (< one pivot)) numbers))
     (define-values (same high) (partition (lambda (one) (= one pivot)) rest))
     (append (quick-sort low) same (quick-sort high))]))

;; The paper's worker, for any number of parts: read, sort, write.
(define (work channel)
  (define algorithm (place-channel-get channel))
  (define sorter (if (equal? algorithm "insertion") insertion-sort quick-sort))
  (define listener (tcp-listen 0 4 #t "127.0.0.1"))
  (define-values (host port there there-port) (tcp-addresses listener #t))
  (place-channel-put channel port)
  (define-values (in out) (tcp-accept listener))
  (unbuffered out)
  (let loop ()
    (define part (read-part in))
    (unless (eof-object? part)
      (write-part (sorter part) out)
      (loop))))

;; Racket's buffer would cut a part into packets that wait 40 ms for one another's acknowledgement.
(define (unbuffered out) (file-stream-buffer-mode out 'none))

;; A length and a block: several times faster than `read` and `write`, which make text.
(define (write-part part out)
  (define block (s-exp->fasl part))
  (write-bytes (bytes-append (integer->integer-bytes (bytes-length block) 8 #f) block) out)
  (flush-output out))
(define (read-part in)
  (define size (read-bytes 8 in))
  (if (eof-object? size) size (fasl->s-exp (read-bytes (integer-bytes->integer size #f) in))))

(define (merge-two a b)
  (let loop ([a a] [b b] [merged '()])
    (cond
      [(null? a) (append (reverse merged) b)]
      [(null? b) (append (reverse merged) a)]
      [(< (car b) (car a)) (loop a (cdr b) (cons (car b) merged))]
      [else (loop (cdr a) b (cons (car a) merged))])))

(define (merge parts)
  (if (null? (cdr parts))
      (car parts)
      (let-values ([(left right) (split-at parts (quotient (length parts) 2))])
        (merge-two (merge left) (merge right)))))

;; Each part is sent and received by a thread of its own.
(define (sort-in-parts numbers ins outs)
  (define size (quotient (length numbers) (length ins)))
  (define sorted (make-vector (length ins) '()))
  (define threads
    (for/list ([in ins] [out outs] [each (in-naturals)])
      (define part (take (drop numbers (* each size)) size))
      (thread (lambda ()
                (write-part part out)
                (vector-set! sorted each (read-part in))))))
  (for-each thread-wait threads)
  (merge (vector->list sorted)))

(define (read-numbers file size)
  (define block (call-with-input-file file (lambda (in) (read-bytes (* 4 size) in))))
  (for/list ([at (in-range 0 (* 4 size) 4)])
    (integer-bytes->integer block #t #f at (+ at 4))))

;; Adler-32 of the numbers as bytes.
(define (checksum numbers)
  (define-values (a b)
    (for*/fold ([a 1] [b 0])
               ([number numbers] [byte (in-bytes (integer->integer-bytes number 4 #t #f))])
      (define next (remainder (+ a byte) 65521))
      (values next (remainder (+ b next) 65521))))
  (+ (arithmetic-shift b 16) a))

(define (main file algorithm workers repeats . sizes)
  (define places
    (for/list ([_ (string->number workers)])
      (dynamic-place (this-file) 'work)))
  (for ([one places]) (place-channel-put one algorithm))
  (define-values (ins outs)
    (for/lists (ins outs) ([one places]) (tcp-connect "127.0.0.1" (place-channel-get one))))
  (for-each unbuffered outs)
  (define measures
    (for/list ([size sizes])
      (define numbers (read-numbers file (string->number size)))
      (define sorted '())
      (define times
        (for/list ([_ (string->number repeats)])
          (collect-garbage 'minor)
          (define begin (current-inexact-milliseconds))
          (set! sorted (sort-in-parts numbers ins outs))
          (/ (- (current-inexact-milliseconds) begin) 1000)))
      (define middle (list-ref (sort times <) (quotient (length times) 2)))
      (format "\"~a\": ~a, \"check ~a\": ~a" size middle size (checksum sorted))))
  (printf "{~a}\n" (apply string-append (add-between measures ", ")))
  (for-each close-output-port outs)
  (for-each place-wait places))

(define-syntax-rule (this-file) (variable-reference->module-source (#%variable-reference)))

(module+ main
  (apply main (vector->list (current-command-line-arguments))))
