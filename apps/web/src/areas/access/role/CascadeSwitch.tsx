import { QuestionCircleOutlined } from '@ant-design/icons'
import { Button, Flex, Switch, Tooltip } from 'antd'
import { useTranslation } from 'react-i18next'

type Props = { on: boolean; onChange: (on: boolean) => void; help: string }

/** Whether ticking a tree node ticks its descendants too. */
export const CascadeSwitch = ({ on, onChange, help }: Props) => {
  const { t } = useTranslation()
  return (
    <Flex component="span" gap={4} align="center">
      <Switch size="small" checked={on} onChange={onChange} aria-label={t('role.together')} />
      <span aria-hidden>{t('role.together')}</span>
      <Tooltip title={help} trigger={['hover', 'focus', 'click']}>
        <Button type="text" size="small" icon={<QuestionCircleOutlined />} aria-label={t('role.togetherWhat')} />
      </Tooltip>
    </Flex>
  )
}
