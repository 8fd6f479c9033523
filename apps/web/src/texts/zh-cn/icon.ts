export const icon = {
  choose: '选择或输入图标名称',
  search: '搜索图标',
  own: '系统图标',
  set: 'Element 图标',
  none: '没有符合的图标',
  copy: '复制',
  copied: '复制成功',
  copyFailed: '复制失败',
}
