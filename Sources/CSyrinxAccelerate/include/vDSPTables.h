// The functions of vDSP that compute each element from those of equal number, or one number from all: a row for each.
//
// The files that include this define the macros, which make declarations or definitions of a row, for Float and Double. The
// letters of a family are the kinds of its arguments, in their order: V is a vector with a stride, S a pointer to one number,
// Z a vector of split complex numbers. The arguments are a, b, c… in a row; the result is the last argument of the function.
// Formulas are those of Apple's public documentation of vDSP. Note the order of vsub, vdiv and zvdiv: the second less, or
// through, … the first.

#pragma clang assume_nonnull begin

// MARK: One vector

ROW_V(vabs, ABSOLUTE(a))
ROW_V(vnabs, -ABSOLUTE(a))
ROW_V(vneg, -a)
ROW_V(vsq, a * a)
ROW_V(vssq, a * ABSOLUTE(a))
ROW_V(vfrac, a - TRUNCATED(a))

// MARK: A vector and numbers

ROW_VS(vsadd, a + b)
ROW_VS(vsmul, a * b)
ROW_VS(vsdiv, a / b)
ROW_VS(vthr, a >= b ? a : b)
ROW_VS(vthres, a >= b ? a : ZERO)
ROW_SV(svdiv, a / b)
ROW_VSS(vsmsa, a * b + c)
ROW_VSS(vclip, a < b ? b : (a > c ? c : a))
ROW_VSS(viclip, a <= b ? a : (a >= c ? a : (a < ZERO ? b : c)))
ROW_VSS(vlim, a >= b ? c : -c)
ROW_VSS(vthrsc, a >= b ? c : -c)

// MARK: Several vectors

ROW_VV(vadd, a + b)
ROW_VV(vsub, b - a)
ROW_VV(vmul, a * b)
ROW_VV(vdiv, b / a)
ROW_VV(vmax, a > b ? a : b)
ROW_VV(vmin, a < b ? a : b)
ROW_VV(vmaxmg, ABSOLUTE(a) > ABSOLUTE(b) ? ABSOLUTE(a) : ABSOLUTE(b))
ROW_VV(vminmg, ABSOLUTE(a) < ABSOLUTE(b) ? ABSOLUTE(a) : ABSOLUTE(b))
ROW_VV(vdist, ROOT(a * a + b * b))
ROW_VVS(vasm, (a + b) * c)
ROW_VVS(vsbsm, (a - b) * c)
ROW_VVS(vmsa, a * b + c)
ROW_VVS(vintb, a + c * (b - a))
ROW_VSV(vsma, a * b + c)
ROW_VSV(vsmsb, a * b - c)
ROW_VVV(vam, (a + b) * c)
ROW_VVV(vsbm, (a - b) * c)
ROW_VVV(vma, a * b + c)
ROW_VVV(vmsb, a * b - c)
ROW_VVV(venvlp, c < b ? c : (a < c ? c : ZERO))
ROW_VSVS(vsmsma, a * b + c * d)
ROW_VVVV(vaam, (a + b) * (c + d))
ROW_VVVV(vasbm, (a + b) * (c - d))
ROW_VVVV(vsbsbm, (a - b) * (c - d))
ROW_VVVV(vmma, a * b + c * d)
ROW_VVVV(vmmsb, a * b - c * d)
ROW_VVVV(vpythg, ROOT((a - c) * (a - c) + (b - d) * (b - d)))

// MARK: One number from a vector
// The number to begin with, what an element a contributes, how it joins the sum s, and what becomes of the sum of n elements.

ROW_SUM(sve, 0, a, s + a, s)
ROW_SUM(svesq, 0, a * a, s + a, s)
ROW_SUM(svemg, 0, ABSOLUTE(a), s + a, s)
ROW_SUM(svs, 0, a * ABSOLUTE(a), s + a, s)
ROW_SUM(meanv, 0, a, s + a, s / n)
ROW_SUM(meamgv, 0, ABSOLUTE(a), s + a, s / n)
ROW_SUM(measqv, 0, a * a, s + a, s / n)
ROW_SUM(mvessq, 0, a * ABSOLUTE(a), s + a, s / n)
ROW_SUM(rmsqv, 0, a * a, s + a, ROOT(s / n))
ROW_SUM(maxv, -INFINITY, a, a > s ? a : s, s)
ROW_SUM(minv, INFINITY, a, a < s ? a : s, s)
ROW_SUM(maxmgv, 0, ABSOLUTE(a), a > s ? a : s, s)
ROW_SUM(minmgv, INFINITY, ABSOLUTE(a), a < s ? a : s, s)
ROW_SUM2(dotpr, 0, a * b, s + a, s)
ROW_SUM2(distancesq, 0, (a - b) * (a - b), s + a, s)

// The first of the greatest or least elements, and its index times the stride.
ROW_PLACE(maxvi, -INFINITY, a, a > s ? a : s)
ROW_PLACE(minvi, INFINITY, a, a < s ? a : s)
ROW_PLACE(maxmgvi, 0, ABSOLUTE(a), a > s ? a : s)
ROW_PLACE(minmgvi, INFINITY, ABSOLUTE(a), a < s ? a : s)

// MARK: Split complex numbers
// The arguments are ar and ai, br and bi…; a row has the real part of the result before the imaginary one.

ROW_Z(zvmov, ar, ai)
ROW_Z(zvneg, -ar, -ai)
ROW_Z(zvconj, ar, -ai)
ROW_ZZ(zvadd, ar + br, ai + bi)
ROW_ZZ(zvsub, ar - br, ai - bi)
ROW_ZZ(zvcmul, ar * br + ai * bi, ar * bi - ai * br)
ROW_ZZ(zvdiv, (br * ar + bi * ai) / (ar * ar + ai * ai), (bi * ar - br * ai) / (ar * ar + ai * ai))
ROW_ZZZ(zvma, ar * br - ai * bi + cr, ar * bi + ai * br + ci)
ROW_ZZZ(zvcma, ar * br + ai * bi + cr, ar * bi - ai * br + ci)
ROW_ZV(zrvadd, ar + b, ai)
ROW_ZV(zrvsub, ar - b, ai)
ROW_ZV(zrvmul, ar * b, ai * b)
ROW_ZV(zrvdiv, ar / b, ai / b)

// Of split complex numbers, a vector.
ROW_MAGNITUDE(zvabs, ROOT(ar * ar + ai * ai))
ROW_MAGNITUDE(zvmags, ar * ar + ai * ai)

#pragma clang assume_nonnull end
