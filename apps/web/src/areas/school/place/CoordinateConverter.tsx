import { type CoordinateSystem, coordinateSystems } from '@tocsin/contract/school/plan/coordinate-system'
import { toCgcs2000 } from '@tocsin/contract/school/plan/coordinates'
import { Button, Flex, Form, Select, Typography } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { enumOptions } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'

/**
 * Turns the position that was typed into the form from another system into the one that is stored.
 * @param hasSource whether the form keeps the other system beside the position.
 */
export const CoordinateConverter = ({ hasSource = false }: { hasSource?: boolean }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const form = Form.useFormInstance()
  const [system, setSystem] = useState<Exclude<CoordinateSystem, 'CGCS2000'>>('GCJ02')
  const lng: unknown = Form.useWatch('lng', form)
  const lat: unknown = Form.useWatch('lat', form)
  const at = typeof lng === 'number' && typeof lat === 'number' ? { lng, lat } : undefined
  const convert = () => {
    if (!at) return
    const stored = toCgcs2000(at, system)
    form.setFields([
      { name: 'lng', value: stored.lng, touched: true },
      { name: 'lat', value: stored.lat, touched: true },
      ...(hasSource ? [{ name: 'coordinateSystem', value: system, touched: true }] : []),
    ])
  }
  return (
    <Form.Item label={t('school.coordinates')} extra={t('school.coordinatesHelp')}>
      <Flex gap="small" wrap align="center">
        <Typography.Text>{t('school.coordinatesFrom')}</Typography.Text>
        <Select
          value={system}
          onChange={setSystem}
          aria-label={t('school.coordinates')}
          style={{ minWidth: 200 }}
          options={enumOptions(
            'coordinateSystem',
            coordinateSystems.filter((system) => system !== 'CGCS2000'),
            lang,
          )}
        />
        <Button disabled={!at} onClick={convert}>
          {t('school.convert')}
        </Button>
      </Flex>
    </Form.Item>
  )
}
