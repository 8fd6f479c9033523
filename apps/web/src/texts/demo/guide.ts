import type { Topic } from '../topic.ts'

export const guide = {
  title: ['五分钟学会使用控制台', 'The console in five minutes'],
  intro: [
    '本页说明每天都会用到的操作。您看到的菜单取决于您的角色：没有的菜单，就是您不需要的。',
    'What you do every day. Your menu depends on your roles: what is not there you do not need.',
  ],
  contents: ['目录', 'Contents'],
  signIn: ['登录', 'Signing in'],
  signIn1: [
    '在登录页输入用户名、密码和图片验证码。大写锁定打开时会有提示。',
    'Enter user name, password and the code of the picture. You are told when caps lock is on.',
  ],
  signIn2: [
    '也可以用手机验证码或扫码登录；忘记密码时点击“忘记密码”，凭手机或邮箱验证码重设。',
    'A code by text message or a QR code works too. “Forgot password” sets a new one by a code to mobile or e-mail.',
  ],
  signIn3: [
    '离开座位时按 Alt L 锁定屏幕：内容被遮住，警情仍会响铃；输入锁屏密码或登录密码即可继续。',
    'When you leave your seat press Alt L: the screen is covered, alarms still ring, and a password brings it back.',
  ],
  find: ['找到页面', 'Finding a page'],
  find1: [
    '左侧或顶部是菜单，手机上点击左上角打开。',
    'The menu is at the left or at the top; on a phone the button at the top left opens it.',
  ],
  find2: [
    '按 Ctrl K 搜索：输入页面名称，或警情编号、位置、设备，回车打开。',
    'Ctrl K searches: the name of a page, or the number, place or device of an alarm. Enter opens it.',
  ],
  find3: [
    '右上角可切换语言、主题和大小；点击头像打开界面设置，可改布局、颜色、标签栏和水印。',
    'Language, theme and size are at the top right; your picture opens the settings for layout, colours, tags and watermark.',
  ],
  find4: [
    '打开标签栏后，可在多个页面间切换，未保存的输入会保留。',
    'With the tag bar you go from page to page, and what you have not saved yet stays.',
  ],
  live: ['看清是否实时', 'Knowing that it is live'],
  live1: [
    '右上角显示“实时”时，页面会随时更新，无需手动刷新。',
    'While “Live” stands at the top right, pages follow by themselves.',
  ],
  live2: [
    '显示“未连接”时，内容可能不是最新；系统会自动重连，也请检查网络。',
    'While it says that it is not, what you see may be old. It connects again by itself; look at the network too.',
  ],
  live3: [
    '每个列表都写明读取的时间，旁边的按钮可立即重新读取。',
    'Each list says when it was read; the button beside it reads it again.',
  ],
  desk: ['接警', 'Handling an alarm'],
  desk1: [
    '打开“接警台”，点击“上岗并试听”：浏览器只有在点击之后才允许响铃。',
    'Open the alarm desk and start your shift with the sound test. Browsers play sound only after a click.',
  ],
  desk2: [
    '新警情出现时会响铃并显示学校与房间。按 N 转到下一起待接警的警情，然后接警。',
    'A new alarm rings and shows school and room. Press N for the next unclaimed alarm, then claim it.',
  ],
  desk3: [
    '接警后由您负责。核实现场情况，按需派人到场；危及生命的，立即转警方。',
    'You now own the alarm. Verify it and send someone. If a life is in danger, hand it to police at once.',
  ],
  desk4: [
    '处理完毕点击“处置完成”，填写处置结果和原因；由另一人结案。',
    'When it is over, resolve it with outcome and cause. Another person closes it.',
  ],
  desk5: [
    '误报请用“标记误报”，一级、二级警情须由另一人确认。',
    'Mark false alarms as such. At levels 1 and 2 another person must confirm.',
  ],
  desk6: [
    '接警后三十秒内失去联系，警情会重新响铃，由他人接警：不会有警情无人处理。',
    'If your seat is offline for thirty seconds, the alarm rings again for others.',
  ],
  records: ['查警情', 'Looking into alarms'],
  records1: [
    '“警情记录”列出可见范围内的全部警情，默认最近 7 天，一次最多 92 天。',
    'The alarm records hold all you may see: the last 7 days unless you say otherwise, at most 92 at a time.',
  ],
  records2: [
    '打开一条记录可看到每一步的时间、经手人和设备信息；这些日志不能修改。',
    'A record shows each step with its time, its person and the device; nobody can change this log.',
  ],
  records3: [
    '测试和演练的警情有明显标记，不计入真实警情。',
    'Tests and drills are marked, and count for nothing real.',
  ],
  lists: ['使用列表', 'Using lists'],
  lists1: [
    '输入条件后按回车查询；条件保存在地址中，可以收藏或发给同事。',
    'Enter searches; the filter is part of the address, to be kept or sent to a colleague.',
  ],
  lists2: [
    '“导出”得到 xlsx 或 csv；数据很多时在后台进行，完成后在右上角下载。Excel 的单元格最多 32767 个字符，更长的文字以“… [已截断 / cut]”结尾；csv 中是全文。',
    'Export gives xlsx or csv; long ones are written in the background and fetched at the top right. A cell of Excel holds 32,767 characters: a longer text ends with “… [已截断 / cut]”; the csv holds all of it.',
  ],
  lists3: [
    '保存时若他人已先修改，多数表单会列出双方都改动的栏：采用对方的，或以您的为准保存；其余的不会保存，请重新打开后再改。',
    'When somebody else changed what you save, most forms show both values: take theirs, or save yours. The others do not save: open them again.',
  ],
  lists4: [
    '用户可以从表格导入：先检查，再提交，错误逐行列出。',
    'Users can be imported from a sheet: checked first, then written, with each mistake by its line.',
  ],
  rights: ['权限', 'Rights'],
  rights1: [
    '您能看到哪些学校和部门，由角色的数据范围决定；看不到的，就像不存在。',
    'Your roles decide which schools and departments you see; all others are as if they were not there.',
  ],
  rights2: [
    '没有的按钮表示没有相应的权限；需要时请联系管理员。',
    'A button that is missing is a right that you do not have; ask your administrator.',
  ],
  rights3: [
    '任何人都不能授予超出自己的权限；所有修改都有记录。',
    'Nobody gives more than he has himself, and every change is on record.',
  ],
  account: ['自己的账号', 'Your account'],
  account1: [
    '点击头像进入个人中心：修改资料、头像和密码。',
    'Your picture leads to your account: data, picture and password.',
  ],
  account2: [
    '建议启用二次验证，并绑定手机或邮箱，以便找回密码。',
    'Turn on the second factor, and bind mobile or e-mail so that you can get back in.',
  ],
  account3: [
    '个人中心列出所有已登录的浏览器；不认识的请立即下线。',
    'Your account lists every browser you are signed in with; sign out those you do not know.',
  ],
  trouble: ['遇到问题', 'When something is wrong'],
  trouble1: ['先看右上角是否“实时”，再重新加载页面。', 'Look whether the page is live, then reload it.'],
  trouble2: [
    '提示中若有追踪编号，请连同时间一起告诉管理员。',
    'If a message has a trace id, tell it to your administrator together with the time.',
  ],
  trouble3: [
    '没有声音：检查扬声器，并在接警台点击“恢复声音并试听”。',
    'No sound: look at the speaker, then restore the sound at the alarm desk.',
  ],
} satisfies Topic
