import { createServer, type Server, type Socket } from 'node:net';

/** Servers where nothing of the service may ever come: whoever connects is counted. */
export interface Canary {
  /** A port of its own on every address of this machine. */
  port: number;
  /** All the ports that are watched: 80 and 443 too, where this process may take them. */
  ports: number[];
  /** Who has connected to what. */
  hits: string[];
  close: () => Promise<void>;
}

export async function startCanary(): Promise<Canary> {
  const hits: string[] = [];
  const watch = async (port: number): Promise<Server | null> => {
    const server = createServer((socket: Socket) => {
      hits.push(`${socket.remoteAddress} to ${socket.localAddress} port ${socket.localPort}`);
      socket.destroy();
    });
    try {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, '::', () => resolve());
      });
      return server;
    } catch {
      // Low ports belong to root on many machines, and may be taken.
      return null;
    }
  };
  const [own, ...low] = [await watch(0), await watch(80), await watch(443)];
  if (!own) throw new Error('no port for a canary');
  const servers = [own, ...low.filter((server) => server !== null)];
  const ports = servers.map((server) => Number(Reflect.get(Object(server.address()), 'port')));
  return {
    port: ports[0] ?? 0,
    ports,
    hits,
    async close() {
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}
