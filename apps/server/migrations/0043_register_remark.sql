-- The switch of registration says what it needs; where it stands already, and nobody wrote another remark, too.
update config set remark = '是否允许自行申请账号；需先填写注册用户所属部门编码（register.dept-code），并开通短信或邮件'
where built_in and key = 'register.enabled' and remark = '是否允许自行申请账号';
update config set remark = '自行注册的用户归入该编码的部门（须已启用），为空时不能注册'
where built_in and key = 'register.dept-code' and remark = '自行注册的用户归入该编码的部门，为空时不能注册';
