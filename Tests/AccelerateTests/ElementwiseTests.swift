import Accelerate
import Testing

/// Functions of vDSP that compute each element from those of equal index.
@Suite struct ElementwiseTests {
    @Test("Functions of one Float vector give the results of a loop")
    func oneVectorWithFloatGivesWhatALoopGives() {
        checkUnary("vabs", vDSP_vabs) { (a: Float) -> Float in abs(a) }
        checkUnary("vnabs", vDSP_vnabs) { (a: Float) -> Float in -abs(a) }
        checkUnary("vneg", vDSP_vneg) { (a: Float) -> Float in -a }
        checkUnary("vsq", vDSP_vsq) { (a: Float) -> Float in a * a }
        checkUnary("vssq", vDSP_vssq) { (a: Float) -> Float in a * abs(a) }
        checkUnary("vfrac", vDSP_vfrac) { (a: Float) -> Float in a - a.rounded(.towardZero) }
    }

    @Test("Functions of one Double vector give the results of a loop")
    func oneVectorWithDoubleGivesWhatALoopGives() {
        checkUnary("vabs", vDSP_vabsD) { (a: Double) -> Double in abs(a) }
        checkUnary("vnabs", vDSP_vnabsD) { (a: Double) -> Double in -abs(a) }
        checkUnary("vneg", vDSP_vnegD) { (a: Double) -> Double in -a }
        checkUnary("vsq", vDSP_vsqD) { (a: Double) -> Double in a * a }
        checkUnary("vssq", vDSP_vssqD) { (a: Double) -> Double in a * abs(a) }
        checkUnary("vfrac", vDSP_vfracD) { (a: Double) -> Double in a - a.rounded(.towardZero) }
    }

    @Test("Functions of two Float vectors give the results of a loop")
    func twoVectorsWithFloatGivesWhatALoopGives() {
        checkBinary("vadd", vDSP_vadd) { (a: Float, b: Float) -> Float in a + b }
        checkBinary("vsub", vDSP_vsub) { (a: Float, b: Float) -> Float in b - a }
        checkBinary("vmul", vDSP_vmul) { (a: Float, b: Float) -> Float in a * b }
        checkBinary("vdiv", vDSP_vdiv) { (a: Float, b: Float) -> Float in b / a }
        checkBinary("vmax", vDSP_vmax) { (a: Float, b: Float) -> Float in max(a, b) }
        checkBinary("vmin", vDSP_vmin) { (a: Float, b: Float) -> Float in min(a, b) }
        checkBinary("vmaxmg", vDSP_vmaxmg) { (a: Float, b: Float) -> Float in max(abs(a), abs(b)) }
        checkBinary("vminmg", vDSP_vminmg) { (a: Float, b: Float) -> Float in min(abs(a), abs(b)) }
        checkBinary("vdist", vDSP_vdist) { (a: Float, b: Float) -> Float in (a * a + b * b).squareRoot() }
    }

    @Test("Functions of two Double vectors give the results of a loop")
    func twoVectorsWithDoubleGivesWhatALoopGives() {
        checkBinary("vadd", vDSP_vaddD) { (a: Double, b: Double) -> Double in a + b }
        checkBinary("vsub", vDSP_vsubD) { (a: Double, b: Double) -> Double in b - a }
        checkBinary("vmul", vDSP_vmulD) { (a: Double, b: Double) -> Double in a * b }
        checkBinary("vdiv", vDSP_vdivD) { (a: Double, b: Double) -> Double in b / a }
        checkBinary("vmax", vDSP_vmaxD) { (a: Double, b: Double) -> Double in max(a, b) }
        checkBinary("vmin", vDSP_vminD) { (a: Double, b: Double) -> Double in min(a, b) }
        checkBinary("vmaxmg", vDSP_vmaxmgD) { (a: Double, b: Double) -> Double in max(abs(a), abs(b)) }
        checkBinary("vminmg", vDSP_vminmgD) { (a: Double, b: Double) -> Double in min(abs(a), abs(b)) }
        checkBinary("vdist", vDSP_vdistD) { (a: Double, b: Double) -> Double in (a * a + b * b).squareRoot() }
    }

    @Test("Functions of a Float vector and a number give the results of a loop")
    func aVectorAndANumberWithFloatGivesWhatALoopGives() {
        checkScaling("vsadd", vDSP_vsadd) { (a: Float, s: Float) -> Float in a + s }
        checkScaling("vsmul", vDSP_vsmul) { (a: Float, s: Float) -> Float in a * s }
        checkScaling("vsdiv", vDSP_vsdiv) { (a: Float, s: Float) -> Float in a / s }
        checkScaling("vthr", vDSP_vthr) { (a: Float, s: Float) -> Float in max(a, s) }
        checkScaling("vthres", vDSP_vthres) { (a: Float, s: Float) -> Float in a >= s ? a : 0 }
    }

    @Test("Functions of a Double vector and a number give the results of a loop")
    func aVectorAndANumberWithDoubleGivesWhatALoopGives() {
        checkScaling("vsadd", vDSP_vsaddD) { (a: Double, s: Double) -> Double in a + s }
        checkScaling("vsmul", vDSP_vsmulD) { (a: Double, s: Double) -> Double in a * s }
        checkScaling("vsdiv", vDSP_vsdivD) { (a: Double, s: Double) -> Double in a / s }
        checkScaling("vthr", vDSP_vthrD) { (a: Double, s: Double) -> Double in max(a, s) }
        checkScaling("vthres", vDSP_vthresD) { (a: Double, s: Double) -> Double in a >= s ? a : 0 }
    }

    @Test("Functions of a Float vector and two numbers give the results of a loop")
    func aVectorAndTwoNumbersWithFloatGivesWhatALoopGives() {
        checkLimiting("vsmsa", vDSP_vsmsa) { (a: Float, s: Float, t: Float) -> Float in a * s + t }
        checkLimiting("vclip", vDSP_vclip) { (a: Float, s: Float, t: Float) -> Float in min(max(a, s), t) }
        checkLimiting("viclip", vDSP_viclip) { (a: Float, s: Float, t: Float) -> Float in
            a <= s || a >= t ? a : a < 0 ? s : t
        }
        checkLimiting("vlim", vDSP_vlim) { (a: Float, s: Float, t: Float) -> Float in a >= s ? t : -t }
        checkLimiting("vthrsc", vDSP_vthrsc) { (a: Float, s: Float, t: Float) -> Float in a >= s ? t : -t }
    }

    @Test("Functions of a Double vector and two numbers give the results of a loop")
    func aVectorAndTwoNumbersWithDoubleGivesWhatALoopGives() {
        checkLimiting("vsmsa", vDSP_vsmsaD) { (a: Double, s: Double, t: Double) -> Double in a * s + t }
        checkLimiting("vclip", vDSP_vclipD) { (a: Double, s: Double, t: Double) -> Double in min(max(a, s), t) }
        checkLimiting("viclip", vDSP_viclipD) { (a: Double, s: Double, t: Double) -> Double in
            a <= s || a >= t ? a : a < 0 ? s : t
        }
        checkLimiting("vlim", vDSP_vlimD) { (a: Double, s: Double, t: Double) -> Double in a >= s ? t : -t }
        checkLimiting("vthrsc", vDSP_vthrscD) { (a: Double, s: Double, t: Double) -> Double in a >= s ? t : -t }
    }

    @Test("Functions of two Float vectors and a number give the results of a loop")
    func twoVectorsAndANumberWithFloatGivesWhatALoopGives() {
        checkBlending("vasm", vDSP_vasm) { (a: Float, b: Float, s: Float) -> Float in (a + b) * s }
        checkBlending("vsbsm", vDSP_vsbsm) { (a: Float, b: Float, s: Float) -> Float in (a - b) * s }
        checkBlending("vmsa", vDSP_vmsa) { (a: Float, b: Float, s: Float) -> Float in a * b + s }
        checkBlending("vintb", vDSP_vintb) { (a: Float, b: Float, s: Float) -> Float in a + s * (b - a) }
    }

    @Test("Functions of two Double vectors and a number give the results of a loop")
    func twoVectorsAndANumberWithDoubleGivesWhatALoopGives() {
        checkBlending("vasm", vDSP_vasmD) { (a: Double, b: Double, s: Double) -> Double in (a + b) * s }
        checkBlending("vsbsm", vDSP_vsbsmD) { (a: Double, b: Double, s: Double) -> Double in (a - b) * s }
        checkBlending("vmsa", vDSP_vmsaD) { (a: Double, b: Double, s: Double) -> Double in a * b + s }
        checkBlending("vintb", vDSP_vintbD) { (a: Double, b: Double, s: Double) -> Double in a + s * (b - a) }
    }

    @Test("Functions of a Float vector, a number and a vector give the results of a loop")
    func aVectorANumberAndAVectorWithFloatGivesWhatALoopGives() {
        checkAdding("vsma", vDSP_vsma) { (a: Float, s: Float, b: Float) -> Float in a * s + b }
        checkAdding("vsmsb", vDSP_vsmsb) { (a: Float, s: Float, b: Float) -> Float in a * s - b }
    }

    @Test("Functions of a Double vector, a number and a vector give the results of a loop")
    func aVectorANumberAndAVectorWithDoubleGivesWhatALoopGives() {
        checkAdding("vsma", vDSP_vsmaD) { (a: Double, s: Double, b: Double) -> Double in a * s + b }
        checkAdding("vsmsb", vDSP_vsmsbD) { (a: Double, s: Double, b: Double) -> Double in a * s - b }
    }

    @Test("Functions of three Float vectors give the results of a loop")
    func threeVectorsWithFloatGivesWhatALoopGives() {
        checkTernary("vam", vDSP_vam) { (a: Float, b: Float, c: Float) -> Float in (a + b) * c }
        checkTernary("vsbm", vDSP_vsbm) { (a: Float, b: Float, c: Float) -> Float in (a - b) * c }
        checkTernary("vma", vDSP_vma) { (a: Float, b: Float, c: Float) -> Float in a * b + c }
        checkTernary("vmsb", vDSP_vmsb) { (a: Float, b: Float, c: Float) -> Float in a * b - c }
        checkTernary("venvlp", vDSP_venvlp) { (a: Float, b: Float, c: Float) -> Float in c < b || c > a ? c : 0 }
    }

    @Test("Functions of three Double vectors give the results of a loop")
    func threeVectorsWithDoubleGivesWhatALoopGives() {
        checkTernary("vam", vDSP_vamD) { (a: Double, b: Double, c: Double) -> Double in (a + b) * c }
        checkTernary("vsbm", vDSP_vsbmD) { (a: Double, b: Double, c: Double) -> Double in (a - b) * c }
        checkTernary("vma", vDSP_vmaD) { (a: Double, b: Double, c: Double) -> Double in a * b + c }
        checkTernary("vmsb", vDSP_vmsbD) { (a: Double, b: Double, c: Double) -> Double in a * b - c }
        checkTernary("venvlp", vDSP_venvlpD) { (a: Double, b: Double, c: Double) -> Double in c < b || c > a ? c : 0 }
    }

    @Test("Functions of four Float vectors give the results of a loop")
    func fourVectorsWithFloatGivesWhatALoopGives() {
        checkQuaternary("vaam", vDSP_vaam) { (a: Float, b: Float, c: Float, d: Float) -> Float in (a + b) * (c + d) }
        checkQuaternary("vasbm", vDSP_vasbm) { (a: Float, b: Float, c: Float, d: Float) -> Float in (a + b) * (c - d) }
        checkQuaternary("vsbsbm", vDSP_vsbsbm) { (a: Float, b: Float, c: Float, d: Float) -> Float in (a - b) * (c - d)
        }
        checkQuaternary("vmma", vDSP_vmma) { (a: Float, b: Float, c: Float, d: Float) -> Float in a * b + c * d }
        checkQuaternary("vmmsb", vDSP_vmmsb) { (a: Float, b: Float, c: Float, d: Float) -> Float in a * b - c * d }
        checkQuaternary("vpythg", vDSP_vpythg) { (a: Float, b: Float, c: Float, d: Float) -> Float in
            ((a - c) * (a - c) + (b - d) * (b - d)).squareRoot()
        }
    }

    @Test("Functions of four Double vectors give the results of a loop")
    func fourVectorsWithDoubleGivesWhatALoopGives() {
        checkQuaternary("vaam", vDSP_vaamD) { (a: Double, b: Double, c: Double, d: Double) -> Double in
            (a + b) * (c + d)
        }
        checkQuaternary("vasbm", vDSP_vasbmD) { (a: Double, b: Double, c: Double, d: Double) -> Double in
            (a + b) * (c - d)
        }
        checkQuaternary("vsbsbm", vDSP_vsbsbmD) { (a: Double, b: Double, c: Double, d: Double) -> Double in
            (a - b) * (c - d)
        }
        checkQuaternary("vmma", vDSP_vmmaD) { (a: Double, b: Double, c: Double, d: Double) -> Double in a * b + c * d }
        checkQuaternary("vmmsb", vDSP_vmmsbD) { (a: Double, b: Double, c: Double, d: Double) -> Double in a * b - c * d
        }
        checkQuaternary("vpythg", vDSP_vpythgD) { (a: Double, b: Double, c: Double, d: Double) -> Double in
            ((a - c) * (a - c) + (b - d) * (b - d)).squareRoot()
        }
    }
}
