import type { Topic } from '../topic.ts'

export const rich = {
  toolbar: ['格式', 'Format'],
  heading1: ['一级标题 H1', 'Heading 1, H1'],
  heading2: ['二级标题 H2', 'Heading 2, H2'],
  heading3: ['三级标题 H3', 'Heading 3, H3'],
  bold: ['加粗', 'Bold'],
  italic: ['斜体', 'Italic'],
  underline: ['下划线', 'Underline'],
  strike: ['删除线', 'Strikethrough'],
  bullets: ['项目列表', 'Bulleted list'],
  numbers: ['编号列表', 'Numbered list'],
  quote: ['引用', 'Quote'],
  code: ['代码块', 'Code block'],
  line: ['分隔线', 'Divider'],
  link: ['链接', 'Link'],
  unlink: ['移除链接', 'Remove the link'],
  address: ['链接地址', 'Address of the link'],
  wrongAddress: [
    '请填写以 http://、https:// 或 mailto: 开头的地址',
    'Enter an address that begins with http://, https:// or mailto:',
  ],
  picture: ['插入图片', 'Insert pictures'],
  undo: ['撤销', 'Undo'],
  redo: ['重做', 'Redo'],
} satisfies Topic
