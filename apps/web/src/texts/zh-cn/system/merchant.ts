export const merchant = {
  none: '还没有学校账号',
  new: '新增学校账号',
  chooseSchool: '请选择学校',
  schoolHelp: '账号归属该学校的部门，只能看到该学校的数据；角色由系统管理员分配',
}
