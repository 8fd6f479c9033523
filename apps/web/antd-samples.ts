import * as kit from 'antd'
import { createElement as h, type FunctionComponent, type ReactElement } from 'react'

type Picture = FunctionComponent<{ type?: string }>

/** The kit's own pictures of what stands above a page: drawn without being opened. */
const pictureOf = (part: object): Picture =>
  (part as { _InternalPanelDoNotUseOrYouWillBeFired: Picture })._InternalPanelDoNotUseOrYouWillBeFired

/** One of everything that the console is made of; its styles are all that is taken from it. */
export const antdSamples = (): ReactElement[] => [
  h(kit.App),
  h(kit.Alert),
  h(kit.AutoComplete),
  h(kit.Badge),
  h(kit.Badge.Ribbon),
  h(kit.Button),
  h(kit.Card, { loading: true }),
  h(kit.Checkbox),
  h(kit.DatePicker),
  h(kit.DatePicker.RangePicker),
  h(kit.Descriptions),
  h(kit.Divider),
  h(kit.Drawer),
  h(kit.Dropdown, { menu: { items: [] }, children: h('a') }),
  h(kit.Empty),
  h(kit.Flex, { children: h('a') }),
  h(kit.Form, { children: h(kit.Form.Item, { children: h(kit.Input) }) }),
  h(kit.Input.Search),
  h(kit.Input.TextArea),
  h(kit.Input.OTP),
  h(kit.InputNumber),
  h(kit.Menu, { items: [] }),
  h(kit.Modal),
  h(kit.Pagination),
  h(kit.Popover, { children: h('a') }),
  h(kit.Progress),
  h(kit.QRCode, { value: '-' }),
  h(kit.Radio.Group),
  h(kit.Result),
  h(kit.Row, { children: h(kit.Col) }),
  h(kit.Segmented, { options: ['-'] }),
  h(kit.Select),
  h(kit.Skeleton),
  h(kit.Slider),
  h(kit.Space, { children: h('a') }),
  h(kit.Space.Compact, { children: [h(kit.Button), h(kit.Space.Addon)] }),
  h(kit.Spin),
  h(kit.Steps),
  h(kit.Switch),
  h(kit.Table),
  h(kit.Tabs),
  h(kit.Tag, { color: 'red' }),
  h(kit.Tag, { color: 'success' }),
  h(kit.Timeline),
  h(kit.Tooltip, { title: '-', children: h('a') }),
  h(kit.Tree, { treeData: [] }),
  h(kit.TreeSelect),
  h(kit.Typography.Text),
  h(kit.Upload),
  h(pictureOf(kit.message)),
  h(pictureOf(kit.notification)),
  h(pictureOf(kit.Modal), { type: 'confirm' }),
]
