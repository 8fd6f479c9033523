import {
  AlertOutlined,
  AppstoreOutlined,
  BankOutlined,
  BellOutlined,
  CloudServerOutlined,
  ControlOutlined,
  DashboardOutlined,
  FileTextOutlined,
  HddOutlined,
  ProfileOutlined,
  SettingOutlined,
  TeamOutlined,
  UserOutlined,
} from '@ant-design/icons'
import type { ComponentType } from 'react'

/** The names menus carry. */
export const entryIcons: Readonly<Record<string, ComponentType>> = {
  desk: AlertOutlined,
  warn: BellOutlined,
  record: ProfileOutlined,
  rule: ControlOutlined,
  log: FileTextOutlined,
  school: BankOutlined,
  device: HddOutlined,
  model: AppstoreOutlined,
  installed: CloudServerOutlined,
  system: SettingOutlined,
  user: UserOutlined,
  role: TeamOutlined,
  dashboard: DashboardOutlined,
}
