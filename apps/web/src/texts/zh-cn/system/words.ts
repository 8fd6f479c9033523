export const system = {
  enabled: '启用',
  disabled: '停用',
  expand: '展开全部',
  collapse: '收起全部',
  top: '顶级',
  parentUnseen: '不可见的上级',
  createBelow: '新增下级',
  more: '更多',
  chooseDept: '请选择部门',
  findDept: '请输入部门名称',
  noDeptFound: '没有符合条件的部门',
}
