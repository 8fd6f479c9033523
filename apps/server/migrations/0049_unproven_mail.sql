-- Remarks of those who registered held an address that nobody had proven, in the clear; its mask says enough.
update users set remark = regexp_replace(remark, '(unproven e-mail: [^@[:space:]])[^@[:space:]]*@', '\1***@')
where remark like '%unproven e-mail: %';
