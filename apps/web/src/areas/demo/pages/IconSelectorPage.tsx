import { Card, Flex, Form, Typography } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EntryIconImage } from '#ui/icon/EntryIconImage.tsx'
import { IconPicker } from '#ui/icon/IconPicker.tsx'
import '../demo.css'

/** The picker of menu icons alone. */
export const IconSelectorPage = () => {
  const { t } = useTranslation()
  const [icon, setIcon] = useState<string | null>('ep:bell')
  return (
    <Card size="small" title={t('demo.pickerTitle')}>
      <Form layout="vertical" className="demo-narrow">
        <Form.Item label={t('demo.pickerLabel')} htmlFor="demo-icon" extra={t('demo.pickerHelp')}>
          <IconPicker id="demo-icon" value={icon} onChange={setIcon} />
        </Form.Item>
      </Form>
      <Flex align="center" gap="middle">
        <span className="demo-large-icon" aria-hidden>
          {icon ? <EntryIconImage name={icon} letter="" /> : null}
        </span>
        <Typography.Text code>{icon ?? t('demo.pickerNone')}</Typography.Text>
      </Flex>
    </Card>
  )
}
