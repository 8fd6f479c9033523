import { devices, type DeviceRow } from '@tocsin/contract/device/device'
import { MAX_PAGE_SIZE } from '@tocsin/contract/page'
import { PrinterOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Button, Empty, Flex, InputNumber, QRCode } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { inlineQuery } from '#api/query.ts'
import { QueryResult } from '#ui/result/QueryResult.tsx'
import { installAddress } from '../install-address.ts'
import './labels.css'

/** A4, three across and eight down. */
const PER_SHEET = 24

/** What lies on each sheet, the first begun at a label that is still free. */
export const toSheets = <T,>(items: readonly T[], start: number): (T | undefined)[][] => {
  const cells: (T | undefined)[] = [...Array.from<undefined>({ length: start - 1 }), ...items]
  return Array.from({ length: Math.ceil(cells.length / PER_SHEET) }, (_, n) =>
    cells.slice(n * PER_SHEET, (n + 1) * PER_SHEET),
  )
}

const Label = ({ device }: { device: DeviceRow }) => (
  <>
    {/* Dark squares on white in both themes: readers and printers want it so. */}
    <QRCode
      value={installAddress(device.sn)}
      size={88}
      type="svg"
      bordered={false}
      color="#000000"
      bgColor="#ffffff"
      marginSize={1}
    />
    <div>
      <b>{device.sn}</b>
      <span>{device.modelName}</span>
    </div>
  </>
)

const Sheets = ({ list }: { list: readonly DeviceRow[] }) => {
  const { t } = useTranslation()
  const [start, setStart] = useState(1)
  if (list.length === 0)
    return (
      <Empty description={t('device.noLabels')}>
        <Link to="/device/device">{t('device.known')}</Link>
      </Empty>
    )
  return (
    <Flex vertical gap="middle">
      <Flex gap="middle" align="center" wrap className="no-print">
        <label htmlFor="label-start">{t('device.labelStart')}</label>
        <InputNumber
          id="label-start"
          min={1}
          max={PER_SHEET}
          precision={0}
          value={start}
          onChange={(next) => setStart(next ?? 1)}
        />
        <Button type="primary" icon={<PrinterOutlined />} onClick={() => window.print()}>
          {t('device.print')}
        </Button>
      </Flex>
      <div className="label-sheets">
        {toSheets(list, start).map((cells, sheet) => (
          // Sheets have no identity but their place.
          <div key={sheet} className="label-sheet">
            {cells.map((device, cell) => (
              <div key={cell} className="label">
                {device && <Label device={device} />}
              </div>
            ))}
          </div>
        ))}
      </div>
    </Flex>
  )
}

/** Labels of the devices that were chosen in the store, to be printed; the square opens the installation. */
export const LabelPage = () => {
  const [params] = useSearchParams()
  const ids = (params.get('ids') ?? '').split(',').map(Number).filter(Boolean).slice(0, MAX_PAGE_SIZE)
  const query = useQuery({
    ...inlineQuery(devices.page, { query: { ids, pageSize: MAX_PAGE_SIZE } }),
    enabled: ids.length > 0,
  })
  if (ids.length === 0) return <Sheets list={[]} />
  return <QueryResult query={query}>{({ list }) => <Sheets list={list} />}</QueryResult>
}
