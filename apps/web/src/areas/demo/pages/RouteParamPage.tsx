import { Card, Form, Input, Typography } from 'antd'
import { useTranslation } from 'react-i18next'
import { usePageQuery } from '#shell/page-query.tsx'
import '../demo.css'

/** One screen behind two menu entries: the query of their component distinguishes them. */
export const RouteParamPage = () => {
  const { t } = useTranslation()
  const { type } = usePageQuery()
  return (
    <Card size="small" title={t('demo.paramTitle')}>
      <Typography.Paragraph>
        {t('demo.paramIs')} <Typography.Text code>{`type=${String(type ?? '')}`}</Typography.Text>
      </Typography.Paragraph>
      <Form layout="vertical" className="demo-narrow">
        <Form.Item label={t('demo.paramInput')} htmlFor={`param-${String(type)}`} extra={t('demo.paramHelp')}>
          <Input id={`param-${String(type)}`} maxLength={100} />
        </Form.Item>
      </Form>
    </Card>
  )
}
